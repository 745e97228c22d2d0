"""hints_names - hints for names, labels, modules and their data. hints.py has
the table."""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .case import Case, listed
from .missing import MOVED, installed, nearest, words_for
from .newer_strings import older_strings
from .own import dict_of, type_name
from .renamed import KEYWORDS, RENAMED, USUAL

import os
import re
import sys
from typing import Any, Optional

_args_of = BaseException.__dict__["args"].__get__
_dir, _str_of = dir, str
_exists, _join, _relative = os.path.exists, os.path.join, os.path.relpath
_modules = sys.modules
_search, _walk = re.search, os.walk
_STDLIB = frozenset(sys.stdlib_module_names)

LINE_CHARS = 1000           # of a source line
LOOKED = 500                # labels of a table that are looked at


# -- names

def column(case: Case) -> Optional[str]:
    """A label that a table does not have."""
    if "KeyError" not in case.classes and \
            "Could not interpret" not in case.text:  # seaborn's
        return None
    for frame in case.frames():
        file = frame.f_code.co_filename
        if "/pandas/" not in file and "/seaborn/" not in file:
            return None
        found = _labels_of(frame)
        if found is not None:
            # seaborn quotes it: "... interpret value `sales` for ..."
            wanted = _search(r"(\w[^'\"]*)" if "KeyError" in case.classes
                             else r"[`'](\w[^`']*)[`']", case.text)
            return _labels(wanted[1] if wanted
                           else case.text.rpartition(" ")[2].strip("`'"),
                           found)
    return None


def _labels_of(frame: Any) -> Any:
    """The labels of the table that a library's frame is at, or None."""
    for name in ("self", "obj", "data"):
        value = frame.f_locals.get(name)
        for found in (value, getattr(value, "columns", None)):
            if found is not None and _is_index(found):
                return found
    return None


def _labels(wanted: str, found: Any) -> str:
    """The labels of a table, with the one that is nearly WANTED."""
    labels = list(found[:LOOKED])
    near = nearest(wanted.strip(), [_str_of(one).strip() for one in labels])
    near = [one for one in labels if near and _str_of(one).strip() == near[0]]
    more = f" Do you mean {near[0]!r}?" if near else ""
    if wanted == "index" and labels[1:] in (["count"], ["proportion"]):
        more = f" value_counts() gives {labels[0]!r} here, as pandas 2 does."
    shown = listed([repr(one) for one in labels], len(found))
    return f"The labels are: {shown}.{more}"


def _is_index(value: Any) -> bool:
    index = getattr(_modules.get("pandas"), "Index", None)
    return isinstance(index, type) and issubclass(type(value), index)


def _version_of(name: str) -> str:
    """"numpy 1.24.2 is installed here. " for a library's module."""
    top = name.partition(".")[0]
    version = getattr(_modules.get(top), "__version__", None)
    if isinstance(version, str):
        return f"{top} {version[:20]} is installed here. "
    return ""


def _renamed(owner: str, name: str) -> Optional[str]:
    """What to write for a name that was renamed, if that is there."""
    return RENAMED.get(f"{owner}.{name}")


def imported_name(case: Case) -> Optional[str]:
    """from X import Y, without Y."""
    module, found = getattr(case.exc, "name", None), _search(
        r"cannot import name '(\w+)'", case.text)
    if type(module) is not str or not found:
        return None
    whole = f"{module}.{found[1]}"
    if whole in MOVED:
        return f"{_version_of(module)}{MOVED[whole].capitalize()}."
    return _name_words(module, module, found[1], _modules.get(module))


def _adapter_words(module: str, name: str, holder: Any) -> str:
    """What an adapter, a part of a library, says of a name that it lacks:
    `from X import Y` does not show it, as X.Y does."""
    inside = vars(holder)
    try:
        inside["__getattr__"](name)
    except AttributeError as exc:
        if "has no attribute" not in _str_of(exc):
            return f"{exc}."
    except Exception:
        pass
    names = inside.get("__all__") or [
        one for one in inside if one[:1] != "_" and
        one not in ("annotations", "Any", "Optional")]
    return (f"{module} here is the everyday part of the library, without "
            f"{name}. It has: {listed(list(names[:LOOKED]), len(names))}.")


def _name_words(module: str, owner: str, name: str,
                holder: Any) -> Optional[str]:
    """Words for NAME, which OWNER (of MODULE) does not have."""
    file = getattr(holder, "__file__", None)
    if isinstance(file, str) and file.startswith("/home/") and \
            module in _STDLIB:
        return f"The file {file} hides Python's own {module}; rename it."
    version = _version_of(module)
    known = _renamed(owner, name)
    if known:
        return f"{version}Instead of {name} use {known}."
    near = nearest(name, [one for one in _dir(holder) if one[:1] != "_"]
                   ) if holder is not None else []
    if near:
        return f"{version}Do you mean {near[0]}?"
    if isinstance(file, str) and file.startswith("<terrarium>/"):
        return _adapter_words(module, name, holder)
    return f"{version}It has no {name}; look at dir()." if version else None


def attribute(case: Case) -> Optional[str]:
    found = _search(r"^(?:module '?([\w.]+)'?|type object '([\w.]+)'|"
                    r"'(?:[\w.]+\.)?(\w+)' object) has no attribute "
                    r"'?(\w+)", case.text)
    if not found or "deprecated alias" in case.text:
        return None  # numpy says it by itself
    holder = getattr(case.exc, "obj", None)
    module, kind, name = found[1], found[2] or found[3], found[4]
    if module:
        return _name_words(module, module, name,
                           holder or _modules.get(module))
    if kind == "NoneType":
        return (f"The value is None, so it has no {name}. Calls that change "
                "an object in place return None, as list.sort() does.")
    if holder is None:
        holder = _holder(case, kind)
    labels = getattr(holder, "columns", None)
    known = _renamed(kind, name)
    if known is None and labels is not None and _is_index(labels):
        return _labels(name, labels)
    return _name_words(_module_of(holder), kind, name, holder)


def _holder(case: Case, kind: str) -> Any:
    """The object of class KIND of the innermost frame, for exceptions that
    a library raised by itself."""
    for frame in case.frames():
        found = frame.f_locals.get("self")
        if found is not None and type_name(type(found)) == kind:
            return found
    return None


def _module_of(value: Any) -> str:
    found = dict_of(type(value)).get("__module__")
    return found if isinstance(found, str) else ""


def undefined(case: Case) -> Optional[str]:
    found = _search(r"name '(\w+)' is not defined", case.text)
    if not found:
        return None
    name = found[1]
    words = USUAL.get(name)
    if words and words.partition(" ")[0] in ("import", "from"):
        return f"First write: {words}"
    if words:
        return f"Use {words}."
    if name in ("true", "false", "null"):
        python = {"true": "True", "false": "False", "null": "None"}[name]
        return f"Python writes {python}, not {name} as JSON does."
    if name in _STDLIB or (name in _modules and installed(name)):
        return f"First write: import {name}"
    names = next(({**frame.f_globals, **frame.f_locals}
                  for frame in case.frames()), {})
    near = nearest(name, [one for one in names if one[:1] != "_"])
    more = f"Do you mean {near[0]}? " if near else ""
    if case.job.names is None:
        return (f"{more}Each request starts afresh: names of earlier requests "
                "are gone.")
    return more.strip() or None


def _version_at(frame: Any) -> str:
    module = frame.f_globals.get("__name__")
    return _version_of(module) if isinstance(module, str) else ""


def _near_keyword(case: Case, name: str) -> Optional[str]:
    """A keyword of the program's call that is nearly NAME."""
    found = _search(r"^(?:\w+\.)*(\w+)\(\) got", case.text)
    frame = next(case.frames(), None)
    call = frame.f_globals.get(found[1]) if found and frame else None
    call = getattr(call, "__wrapped__", call)
    code = getattr(getattr(call, "__init__", None) if isinstance(call, type)
                   else call, "__code__", None)
    if code is None:
        return None
    count = code.co_argcount + code.co_kwonlyargcount
    near = nearest(name, code.co_varnames[:count])
    return f"Do you mean {near[0]}?" if near else None


def keyword(case: Case) -> Optional[str]:
    """A keyword that another version of a library has."""
    found = _search(r"(?:unexpected keyword argument|invalid keyword "
                    r"argument for \w+\(\)|has no property|object of type "
                    r"plotly[\w.]+:) '(\w+)'", case.text)
    if not found:
        return None
    version = next(filter(None, map(_version_at, case.frames())), "")
    near = _near_keyword(case, found[1])
    if near:
        return near
    if not version and found[1] not in KEYWORDS:
        return None
    known = KEYWORDS.get(found[1])
    if not known:
        return f"{version}The keyword may be that of another version."
    verb = "" if known.startswith(("leave", "give")) else "instead use "
    words = f"{verb}{known}."
    return f"{version}{words[:1].upper()}{words[1:]}"


# -- modules and their data

def optional(case: Case) -> Optional[str]:
    """A library misses another, and says so in its own words."""
    found = _search(r"(?:Missing optional dependency|tried using:|"
                    r"pip install|[Pp]lease install|[Nn]o module named|"
                    r"requires the (?=\S+ Python package)|"
                    r"requires version \S+ or newer of)"
                    r"\s*['`\"]?([A-Za-z][\w-]*)", case.text) or _search(
                        r"['`\"]([A-Za-z][\w-]*)['`\"] package\b.{0,30}\bis "
                        "required", case.text)
    if not found or "\nHint: " in case.text:
        return None
    name = found[1].replace("-", "_")
    if not installed(name):
        return words_for(name)
    if "requires version" in case.text:
        return (f"{name} is installed here in an older version, and nothing "
                "can be installed. Use it by itself, or another format.")
    return None


def library(case: Case) -> Optional[str]:
    found = _search(r"(lib[\w.+-]+): cannot open shared object", case.text)
    return (f"The system library {found[1]} is not here, and nothing can be "
            "installed.") if found else None


_LANGUAGE_DATA = (
    ("punkt", " Split sentences by nltk.tokenize.sent_tokenize(text), in "
     "English."),
    ("stopwords", " Use sklearn.feature_extraction.text.ENGLISH_STOP_WORDS."),
    ("wordnet", " Use stems: nltk.stem.SnowballStemmer('english')."),
    ("omw", " Use stems: nltk.stem.SnowballStemmer('english')."),
    ("averaged_perceptron", " No library here tells the parts of "
     "speech: look at endings (-ly, -ing) or at a list of words."),
    ("maxent_ne", " No library here finds names: use re."),
    ("vader", " Count words of two lists of your own, good and bad ones."),
    ("words", " Use a list of words of your own."),
)


def language_data(case: Case) -> Optional[str]:
    found = _search(r"Resource (?:\x1b\[\d+m)?(\w+)\S* not found", case.text)
    if not found or "NLTK" not in case.text:
        return None
    words = next((words for start, words in _LANGUAGE_DATA
                  if found[1].startswith(start)), "")
    return (f"nltk's data '{found[1]}' is not installed and cannot be "
            f"downloaded.{words}")


def time_zone(case: Case) -> Optional[str]:
    args = _args_of(case.exc)
    found = _search(r"([\w+-]+(?:/[\w+-]+)*)$", _str_of(args[0])) \
        if args else None
    if not found:
        return None
    near = nearest(found[1], _zones(), 3)
    if not near:
        near = [zone for zone in _zones() if zone.rpartition("/")[2].lower()
                == found[1].rpartition("/")[2].lower()][:3]
    if not near:
        return "A name is such as 'Europe/Berlin' or 'America/New_York'."
    return f"Do you mean {' or '.join(map(repr, near))}?"


def _zones() -> list[str]:
    top = "/usr/share/zoneinfo"
    found = []
    for folder, folders, names in _walk(top):
        folders[:] = [one for one in folders if one not in ("posix", "right")]
        found += [_relative(_join(folder, name), top) for name in names
                  if "." not in name]
    return found


def font(case: Case) -> Optional[str]:
    if not case.within("PIL/ImageFont"):
        return None
    for path in ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",):
        if _exists(path):
            return (f"That font is not here. Use ImageFont.truetype('{path}', "
                    "size) or ImageFont.load_default().")
    return "That font is not here. Use ImageFont.load_default()."


def locale(case: Case) -> Optional[str]:
    if "unsupported locale" not in case.text:
        return None
    return ("Only the locales C.UTF-8 and C are here. Format numbers by "
            "f'{x:,.2f}' and str.replace, or by babel if it is installed.")


def loop(case: Case) -> Optional[str]:
    if "running event loop" not in case.text:
        return None
    return "A loop runs already: write  await main()  instead of asyncio.run."


# What newer_strings cannot write anew.
_NEWER = (
    (r"\bf(['\"]).*\{[^}]*\1", "the same quotes within an f-string"),
    (r"\bf['\"].*\{[^}]*\\", "a backslash within an f-string's {}"),
)


def source_text(case: Case) -> Optional[str]:
    lines = case.job.lines
    if any(line.lstrip().startswith("```") for line in lines[:200]):
        return "The code has Markdown's ``` in it. Send the code alone."
    if "line continuation character" in case.text and len(lines) <= 3 and \
            any("\\n" in line for line in lines):
        return ("The code has a backslash and an n where a new line is "
                "meant; it was escaped twice.")
    if "unicodeescape" in case.text:
        return ("In a text, a backslash begins an escape: write the path with "
                "/, or as r'...'. The files here are in /home/user.")
    number = getattr(case.exc, "lineno", None)
    line = lines[number - 1][:LINE_CHARS] \
        if type(number) is int and 0 < number <= len(lines) else ""
    for pattern, words in _NEWER:
        if sys.version_info < (3, 12) and _search(pattern, line) and \
                older_strings(line) == line:
            return (f"This is Python {sys.version_info[0]}."
                    f"{sys.version_info[1]}, and {words} need Python 3.12. "
                    "Write it in the older way.")
    return None


_PERIODS = {"ME": "M", "QE": "Q", "YE": "A", "YS": "AS", "BME": "BM",
            "BQE": "BQ", "BYE": "BA", "h": "H", "min": "T", "s": "S",
            "ms": "L", "us": "U", "ns": "N", "bh": "BH"}


def period(case: Case) -> Optional[str]:
    """A name of a frequency that is another version's."""
    found = _search(r"[Ii]nvalid frequency: (\w+)", case.text)
    if not found:
        return None
    old = {value: key for key, value in _PERIODS.items()}
    other = _PERIODS.get(found[1].partition("-")[0]) or old.get(found[1])
    return f"{_version_of('pandas')}Instead of '{found[1]}' write " \
           f"'{other}'." if other else None
