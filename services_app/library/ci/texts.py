"""What is written in the seeded CI system."""

from __future__ import annotations

LINT = "Checking out {branch} at {commit}\nInstalling tools\nLooking at 214 files\nNo problems"
TEST = "Checking out {branch} at {commit}\nRunning 612 tests\n{outcome}\nReport written: test-report.txt"
PASSED = "612 passed"
FAILED = (
    "FAILED {test}\n  {message}\n611 passed, 1 failed\nThe job has failed. Ask {reviewer} if it is not your change."
)
BUILD = "Checking out {branch} at {commit}\nPackaging {repo} {version}\nWritten: {repo}-{version}.tar.gz"
DEPLOY = (
    "Fetching {repo}-{version}.tar.gz\nRegion 1 of 3: done\nRegion 2 of 3: done\nRegion 3 of 3: done\n{key} is live"
)
# test, message
FLAKY = (
    ("tests/test_import.py::test_large_file", "Timed out after 30 seconds; passes when repeated."),
    ("tests/test_settings.py::test_value_is_in_range", "{setting} is above what contract {contract} allows."),
    ("tests/test_customers.py::test_quantity", "Expected {seats} for order {po}, found one less."),
    ("tests/test_dates.py::test_end_of_contract", "{contract} ends on {end}; the test still has the old date."),
    ("tests/test_mail.py::test_contact", "{contact_email} is not the contact that is on file."),
)
REPORT = "{title}\n\nBranch {branch}, commit {commit}. {outcome}.\n\nTouches {path}. Customer: {company}, order {po}."
MANIFEST = "package: {repo}\nversion: {version}\nissue: {key}\ncommit: {commit}\nauthor: {author_email}"
BUILDS = (
    "Runs on every push. A branch is merged only when it is green; flaky tests are muted under an issue, never skipped."
)
DEPLOYS = (
    "Brings main to production and other branches to staging. Production needs an approval by somebody who did not "
    "start the run. No deployments on the day before a release and on Fridays after 14:00 UTC."
)
NOTES = ("{contact} waits for it.", "Needed for {po}.", "Asked for by {owner}.", "")
