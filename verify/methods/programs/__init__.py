"""Programs that propose test functions, for the methods: trusted by nobody."""
