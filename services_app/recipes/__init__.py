"""What the source of built services is written with: small, pure pieces a person would reach for too.

Each module stands for one kind of application: `records` for rows with ids, the others for what no table of
records describes. All of it runs inside the sandbox, takes clock, ids and chance from the call context, and
imports nothing but the engine and the standard library.
"""
