"""Import, build, verify, store: what the jobs of this app carry out. Each writes its result in one transaction."""
