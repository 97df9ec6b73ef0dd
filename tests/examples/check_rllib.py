"""Run the RLlib example in an environment of its own: ``python tests/examples/check_rllib.py [FOLDER]``.

RLlib pins its own version of Gymnasium. Ray and what it pins go into a fresh virtual environment; everything else
(overworlds, numba, torch) is taken from the environment that runs this script, by a path file that comes second.
"""

import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

RAY = "ray[rllib]==2.60.*"
EXAMPLE = Path(__file__).parents[2] / "examples" / "rllib_aec.py"


def prepare(folder: Path) -> Path:
    """A virtual environment with Ray in this folder, made if it is not there yet; its Python."""
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", RAY], check=True)
        asked = [python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]
        own = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
        here = sysconfig.get_paths()["purelib"]
        (Path(own) / "zz_rest.pth").write_text(f"import site; site.addsitedir({here!r})\n")
        (folder / "ready").touch()
    return python


def check(folder: Path) -> None:
    """A few iterations must run and report."""
    words = [prepare(folder), EXAMPLE, "--iterations", "3", "--batch", "500"]
    result = subprocess.run(words, capture_output=True, text=True, timeout=900)
    lines = [line for line in result.stdout.splitlines() if line.startswith("iteration")]
    if result.returncode != 0 or len(lines) != 3:
        sys.exit(f"the RLlib example failed:\n{result.stdout}\n{result.stderr}")
    print("\n".join(lines))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        check(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            check(Path(temporary) / "rllib")
