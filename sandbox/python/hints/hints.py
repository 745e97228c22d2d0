"""hints - sentences for the reader of an error: what is the matter, and what
to do instead.

The reader is often a language model that will change its program by them. A
row has a key, the classes of exceptions by name, and a function that returns
the sentence or None. docs/api.md lists the keys, and tests/e2e/guest/
test_hints.py has a program for each. A hint is looked for when an exception
has ended the program, so others pay nothing. Exceptions are hostile, so
errors.py calls hint() as it calls the program.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import hints_names as names, hints_places as places
from .case import Case
from .job import Job

from typing import Callable, Optional

_cause_of = BaseException.__dict__["__cause__"].__get__
_context_of = BaseException.__dict__["__context__"].__get__

HINT_CHARS = 700            # of a hint
CAUSES = 20                 # of an exception, followed at most

_Find = Callable[[Case], Optional[str]]
# Key, names of classes, function; and whether a cause of the exception counts
# as well.
ROWS: tuple[tuple[str, str, _Find, bool], ...] = (
    ("network", "OSError", places.network, True),
    ("process", "OSError", places.process, True),
    ("display", "Exception", places.display, False),
    ("missing-file", "FileNotFoundError", places.missing_file, False),
    ("missing-directory", "OSError", places.save_folder, False),
    ("read-only", "OSError", places.read_only, True),
    ("machine-code", "OSError", places.machine_code, True),
    ("refused", "OSError", places.refused, True),
    ("disk", "OSError", places.disk, True),
    ("open-files", "OSError", places.open_files, False),
    ("font", "OSError", names.font, False),
    ("database", "OperationalError", places.database, False),
    ("memory", "MemoryError OSError", places.memory, False),
    ("time", "Timeout", places.time_up, False),
    ("threads", "RuntimeError", places.threads, False),
    ("recursion", "RecursionError", places.recursion, False),
    ("stdin", "EOFError", places.stdin, False),
    ("environment", "KeyError", places.environment, False),
    ("arguments", "SystemExit IndexError", places.arguments, False),
    ("file-kind", "Exception", places.kind, False),
    ("encoding", "UnicodeDecodeError", places.decoding, False),
    ("library", "ImportError OSError", names.library, False),
    ("imported-name", "ImportError", names.imported_name, False),
    ("optional", "ImportError", names.optional, False),
    ("time-zone", "ZoneInfoNotFoundError UnknownTimeZoneError", names.time_zone,
     False),
    ("label", "KeyError ValueError", names.column, False),
    ("missing-file", "AttributeError TypeError", places.none_read, False),
    ("attribute", "AttributeError", names.attribute, False),
    ("name", "NameError", names.undefined, False),
    ("keyword", "TypeError AttributeError ValueError", names.keyword, False),
    ("language-data", "LookupError", names.language_data, False),
    ("locale", "Error", names.locale, False),
    ("loop", "RuntimeError", names.loop, False),
    ("period", "ValueError", names.period, False),
    ("source", "SyntaxError", names.source_text, False),
    ("program", "Exception", places.program, False),
    ("missing-file", "IndexError", places.no_match, False),
    ("named-file", "Exception", places.named_in_text, False),
)
_PLAN = tuple((frozenset(kinds.split()), find, chain)
              for _, kinds, find, chain in ROWS)


def _hint_of(case: Case, is_cause: bool) -> Optional[str]:
    for kinds, find, chain in _PLAN:
        if (chain or not is_cause) and kinds.intersection(case.classes):
            try:
                found = find(case)
            except Exception:  # a hint is no promise
                continue
            if found:
                return found[:HINT_CHARS]
    return None


def hint_of(case: Case) -> Optional[str]:
    """The hint for an exception alone."""
    return _hint_of(case, False)


def hint(exc: BaseException, job: Job) -> str:
    """The hint for EXC, or its first cause that has one; or ""."""
    seen: Optional[BaseException] = exc
    for _ in range(CAUSES):
        if seen is None:
            break
        found = _hint_of(Case(seen, job), seen is not exc)
        if found:
            return found
        seen = _cause_of(seen) or _context_of(seen)
    return ""
