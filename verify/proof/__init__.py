"""Proofs: each knows its condition, verdict and number, its claim in words, and its evidence as a certificate writes it."""
