"""A home in one schema of a PostgreSQL database: what is PostgreSQL's own of the port (`pbem.store.port`).

`psycopg` (the extra `pbem[postgres]`) is imported only when such a home is opened.
"""
