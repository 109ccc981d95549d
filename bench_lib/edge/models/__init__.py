"""Small models, defined once, run through each framework that people ship on devices."""
