# Runs one suite and tells each test's outcome. The text of this file is the
# program; run.py appends a call. It runs in a guest and in a plain
# interpreter alike, so it wants nothing but the standard library.
#
# Outcomes go to standard output as they come, so that a suite which is killed
# in the middle still tells which test it was in:
#     @@ start ID
#     @@ ok ID | @@ skip ID | @@ bad ID JSON-of-the-words
import json
import os
import re
import sys
import unittest

WORDS_MAX = 1500
OUT = os.dup(1)


def say(*words):
    os.write(OUT, ("\n@@ " + " ".join(words) + "\n").encode(
        "utf-8", "replace"))


def clean(name):
    """An id without blanks and addresses, equal from run to run."""
    name = re.sub(r"0x[0-9a-f]{6,}", "0x", name)
    return re.sub(r"\s+", "_", name.encode("ascii", "backslashreplace")
                  .decode())[:300]


def short(text):
    """The end of a traceback says what, its file names say by what way."""
    files = re.findall(r'File "([^"]+)"', text)
    ways = sorted({os.path.basename(file) for file in files[-12:]})
    return json.dumps([text[-WORDS_MAX:], ways])


class Result(unittest.TestResult):
    """Tells each outcome once, though a test may have many sub-tests."""

    def startTest(self, test):
        super().startTest(test)
        self.told = False
        say("start", clean(test.id()))

    def tell(self, word, test, text=""):
        if self.told and not hasattr(test, "description"):
            return
        self.told = True
        say(word, clean(getattr(test, "id", lambda: str(test))()),
            *([short(text)] if text else []))

    def bad(self, test, err):
        if err[0].__module__.startswith("_terrarium"):
            raise err[1]  # the time limit: it is not this test's failure
        self.tell("bad", test, self._exc_info_to_string(err, test))

    addFailure = addError = bad

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.bad(test, err)

    def addSuccess(self, test):
        self.tell("ok", test)

    def addSkip(self, test, reason):
        self.tell("skip", test)

    def addExpectedFailure(self, test, err):
        self.tell("ok", test)

    def addUnexpectedSuccess(self, test):
        self.tell("bad", test, "unexpected success")


def tests_of(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from tests_of(each)
        else:
            yield each


def run_unittest(name, without, only):
    import importlib

    from test import support
    support.use_resources = ["cpu", "decimal"]
    support.verbose = 0

    def run(suite):
        chosen = [test for test in tests_of(suite)
                  if clean(test.id()) not in without
                  and (not only or clean(test.id()) in only)]
        # A new suite still calls the fixtures of classes and modules.
        unittest.TestSuite(chosen).run(Result())

    module = importlib.import_module(name)
    support._run_suite = run
    if hasattr(module, "test_main"):
        module.test_main()
    else:
        run(unittest.defaultTestLoader.loadTestsFromModule(module))


class Plugin:
    """The same for pytest; ids are relative to the packages."""

    def __init__(self, without, only):
        self.without, self.only = without, only
        self.expired = None

    def pytest_exception_interact(self, node, call, report):
        if call.excinfo.type.__module__.startswith("_terrarium"):
            import pytest
            self.expired = call.excinfo.value
            pytest.exit("the time limit")

    def name(self, nodeid):
        return clean(nodeid.rpartition("dist-packages/")[2])

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items
                    if self.name(item.nodeid) not in self.without
                    and (not self.only
                         or self.name(item.nodeid) in self.only)]

    def pytest_runtest_logstart(self, nodeid, location):
        say("start", self.name(nodeid))

    def pytest_runtest_logreport(self, report):
        name = self.name(report.nodeid)
        if report.failed and not self.expired:
            say("bad", name, short(str(report.longreprtext)))
        elif report.skipped:
            say("ok" if hasattr(report, "wasxfail") else "skip", name)
        elif report.when == "call":
            say("ok", name)

    def pytest_collectreport(self, report):
        if report.failed:
            say("bad", self.name(report.nodeid) + "::(collection)",
                short(str(report.longreprtext)))
        elif report.skipped:
            say("skip", self.name(report.nodeid) + "::(collection)")


# Of libraries that have moved their tests: where they were, and are.
MOVED = (("/numpy/core/", "/numpy/_core/"),)


def file_of(path):
    """The folder or module PATH, or where it has moved to."""
    for old, new in (("", ""), *MOVED):
        for end in ("", ".py"):
            found = path.replace(old, new, 1) + end
            if os.path.exists(found):
                return found
    return path


def run_pytest(name, without, only):
    import importlib.util

    import pytest
    top = name.partition(".")[0]
    folder = os.path.dirname(importlib.util.find_spec(top).origin)
    words = name.split(" ")
    path = file_of(os.path.join(os.path.dirname(folder),
                                words[0].replace(".", "/")))
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    plugin = Plugin(without, only)
    pytest.main([path, *words[1:], "-q", "-p", "no:cacheprovider", "-p",
                 "no:faulthandler", "--tb=short", "--rootdir",
                 os.path.dirname(folder),
                 "-c", "/dev/null", "-W", "ignore", "--capture=sys"],
                plugins=[plugin])
    if plugin.expired:
        raise plugin.expired


def main(kind, name, without=(), only=()):
    sys.argv = ["python3"]
    kinds = {"unittest": run_unittest, "pytest": run_pytest}
    kinds[kind](name, set(without), set(only))
    say("end")
