"""What the paper leaves open: one choice changed at a time, all combined, all tuned."""
