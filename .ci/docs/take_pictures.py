"""Takes pictures of a report and of the live page in headless Chromium, for the documents.

usage: python3 .ci/docs/take_pictures.py INERTIAL FOLDER    (make update WHAT=pictures; INERTIAL is the command)

The logs are Notebooks-data/logs/outing.csv and shake.csv; `inertial serve` plays the second.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Tools/Figures/Report/Browser"))
sys.dont_write_bytecode = True

import browser  # noqa: E402
import check_live  # noqa: E402


def main():
    inertial, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as work, browser.Browser(*check_live.OPTIONS, width=1440, height=900) as b:
        page = f"{work}/outing.html"
        subprocess.run([inertial, "report", ROOT / "Notebooks-data/logs/outing.csv", "--frame", "xMagneticNorthZVertical", "-o", page],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        b.open(page)
        b.run("inertial.ready")
        time.sleep(1)
        b.picture(str(folder / "report.png"))
        server = check_live.Server(str(inertial), work)
        try:
            check_live.go(b, server.page)
            # The second shake is visible after twelve seconds.
            time.sleep(14)
            b.picture(str(folder / "live.png"))
        finally:
            server.end()


if __name__ == "__main__":
    main()
