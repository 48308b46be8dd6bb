"""What people and computers do while they play: move, take back, get hints."""
