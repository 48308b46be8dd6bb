"""What people see: the picture, their own hand, buttons, warnings, odds and forecasts."""
