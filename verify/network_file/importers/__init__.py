"""Networks from and to other tools; each importer states the conventions of its tool."""
