"""What all tests share."""

import os

from hypothesis import settings

settings.register_profile("overworlds", deadline=None, print_blob=True)  # a first call may compile
settings.load_profile("overworlds")


def pytest_report_header() -> str:
    """Say how the kernels run."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return "kernels: plain Python"
    return "kernels: compiled" + (" with bounds checks" if os.environ.get("NUMBA_BOUNDSCHECK", "0") != "0" else "")
