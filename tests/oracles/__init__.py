"""Oracles: answers by routes that share nothing with the product (only the tests use them)."""
