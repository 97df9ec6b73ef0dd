"""New Python processes, as a user starts them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def environment(**variables: str | None) -> dict[str, str]:
    """This process's environment with some variables set, or taken away (None)."""
    wanted = os.environ | {name: value for name, value in variables.items() if value is not None}
    return {name: value for name, value in wanted.items() if variables.get(name, "") is not None}


def run(*arguments: str, **variables: str | None) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments from the root of the project; whatever it says is in the error if it fails."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment(**variables), capture_output=True, text=True
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done


def traces(jobs: list[dict[str, Any]], *options: str, **variables: str | None) -> list[dict[str, Any]]:
    """The traces of these games, made in a new process."""
    return json.loads(run(*options, "-m", "tests.core.trace", json.dumps(jobs), **variables).stdout)
