"""The rules of 18 India, one module for each part of a round: what is forbidden, and what an action does."""
