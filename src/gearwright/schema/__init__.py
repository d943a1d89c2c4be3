"""What a user declares: the file, its sections and their ranges, reading, cases and campaigns. Reading makes everything SI."""
