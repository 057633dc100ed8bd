"""Experiments: from a plan of arms to their runs, evaluations and paired differences."""
