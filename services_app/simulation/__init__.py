"""The world model: tools that outside systems would answer, answered by a model and kept consistent by the engine.

`world` says what is asked and how a reply is read, `environment` puts it between an agent and a product environment.
"""
