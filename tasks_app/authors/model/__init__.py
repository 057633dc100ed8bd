"""The model author: a language model explores the mounted services, designs a story, probes it, submits it.

Its tools answer over an environment and know no HTTP and no database; the conversation around them is the one of
the service builder (`services_app.builders.model`). `submit` decides, as for the rules author. A second role only
rewords the instruction of a proven task.
"""
