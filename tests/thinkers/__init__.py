"""Worker processes that think for computers."""
