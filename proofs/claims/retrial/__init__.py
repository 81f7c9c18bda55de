"""Claims about the retrial queue (slides 79-92), with the proof of the conjecture (``PROOF.md``)."""
