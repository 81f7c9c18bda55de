"""A package of queueproof: proofs that queueing networks are stable or unstable (``import queueproof`` is the front door)."""
