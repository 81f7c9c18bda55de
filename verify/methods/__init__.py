"""Methods: each knows its name, when it does not apply and why, and its search; ``registry`` lists them in their orders."""
