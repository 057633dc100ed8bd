"""Isolated processes for generated code: namespaces and lockdown, a JSON-lines channel, bounds on everything.

Host side: `SandboxProcess`, `Limits`, `SandboxError`, `probe`. The modules that run inside are
`bootstrap`, `lockdown`, `landlock`, `seccomp`, `syscalls`, `messages` and `child`; they use the
standard library only, so that a sandbox starts fast and trusts little.
"""
