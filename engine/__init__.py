"""18 India from the deal of the certificates to the final score."""
