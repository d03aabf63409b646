"""A home in one SQLite file: what is SQLite's own of the port (`pbem.store.port`)."""
