"""The M/M/1 retrial queue: the conjecture of slides 79-82 (``proofs/claims/retrial/PROOF.md``), and routing next to a batch
queue (slides 88-92)."""
