"""The only reader and writer of asv's JSON and of our records."""
