"""Ends the process of a recording with "crash" in its name, as a fault of native code would. Spark's processes import this file."""

import os

if os.environ.get("INERTIAL_TEST_CRASH"):
    import inertial._api as _api

    _fuse_to = _api.fuse_to

    def _crash(source, *arguments, **options):
        if "crash" in os.fspath(source):
            os.abort()
        return _fuse_to(source, *arguments, **options)

    _api.fuse_to = _crash
