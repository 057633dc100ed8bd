"""Both kinds of isolation; one may be missing on a machine, but neither may have a hole."""

import pytest

from workers.sandbox.probe import check


@pytest.fixture(scope="session")
def working_modes():
    return {mode: check(mode) for mode in ("bwrap", "lockdown")}


@pytest.fixture(params=["bwrap", "lockdown"])
def mode(request, working_modes):
    failure = working_modes[request.param]
    if failure is not None and "lets code" in failure:
        pytest.fail(failure)
    if failure is not None and all(working_modes.values()):
        pytest.fail(f"no isolation works here: {working_modes}")
    if failure is not None:
        pytest.skip(failure)
    return request.param
