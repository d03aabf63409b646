"""Keys of one party: identity, sealing to another's key, the vault, and fingerprints for people.

Left out: which key may sign for which role (`pbem.log`), and where vault entries are stored (`pbem.store`).
"""
