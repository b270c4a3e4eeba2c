"""Runs a command and writes its duration in seconds and its peak memory to a file.

usage: launch.py FIGURES COMMAND...
A process inherits the peak memory of its parent, so a large program cannot measure its children. This small program runs
between them.
"""

import os
import sys
import time

start = time.perf_counter()
child = os.fork()
if child == 0:
    try:
        os.execv(sys.argv[2], sys.argv[2:])
    finally:
        os._exit(127)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - start
# In kilobytes, except in bytes on macOS.
megabytes = usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
with open(sys.argv[1], "w") as file:
    file.write(f"{seconds} {megabytes}")
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
