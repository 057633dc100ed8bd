"""Language models at work on a service: a coding agent that writes it, and an adversary that attacks it unseen.

Both are conversations over a `ModelClient`: a toolbox answers the model's tool calls, a recorder keeps every message
the moment it exists, and bounds end what does not end by itself. Nothing here runs generated code in this process.
"""
