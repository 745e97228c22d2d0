"""hints_places - hints for what a guest is refused or has too little of:
files, network, processes, memory, time, input. hints.py has the table."""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .case import Case, listed
from .missing import nearest
from .refusals import NO_NETWORK, NO_PROCESS

import codecs
import errno
import os
import re
import sys
from typing import Optional

_cwd, _decode, _encode = os.getcwd, codecs.decode, codecs.encode
_exists, _islink = os.path.exists, os.path.islink
_getdepth = sys.getrecursionlimit
_modules = sys.modules
_join, _normal, _relative = os.path.join, os.path.normpath, os.path.relpath
_search, _walk = re.search, os.walk

LOOKED = 500                # files of home that are looked at
PROBE = 16 << 10            # bytes that encodings are tried on
NO_LIMIT = 10 ** 8          # ms; the limit of a session is that of a call
SHOWN_CHARS = 100           # of a path
_HOME = "/home/user"
_SAMPLES = "/usr/share/python3-plotly/datasets/tips.csv.gz"  # newer_drawing.py


# -- files

def _writable() -> str:
    alias = " (/mnt/data leads there)" if _islink("/mnt/data") else ""
    return (f"Only the working directory /home/user{alias} and /tmp can be "
            "written.")


def _home_files() -> list[str]:
    """Files in home, by their relative names."""
    found: list[str] = []
    for folder, folders, names in _walk(_HOME):
        folders[:] = sorted(one for one in folders if one[:1] != ".")[:50]
        if folder.count("/") > 6:
            folders.clear()
        found += [_relative(_join(folder, name), _HOME)
                  for name in sorted(names) if name[:1] != "."]
        if len(found) > LOOKED:
            break
    return found[:LOOKED]


def _same_name(path: str, files: list[str]) -> Optional[str]:
    """The file of FILES that PATH most likely means."""
    last = path.replace("\\", "/").rpartition("/")[2].lower()
    for name in files:
        if name.rpartition("/")[2].lower() == last:
            return name
    near = nearest(last, [name.rpartition("/")[2] for name in files])
    return next((name for name in files if near and
                 name.rpartition("/")[2] == near[0]), None)


def is_outside(path: str) -> bool:
    """Whether PATH is neither in home nor in /tmp."""
    whole = _normal(_join(_safe_cwd(), path))
    return not whole.startswith((_HOME + "/", "/tmp/", "/home/tmp/")) and \
        not any(_islink(above) for above in _above(whole))


def _safe_cwd() -> str:
    try:
        return _cwd()
    except OSError:
        return _HOME


def _above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(2, len(parts))]


def missing_file(case: Case) -> Optional[str]:
    path = case.path()
    if case.number() != errno.ENOENT or not path:
        return None
    if path.startswith(("/proc/", "/sys/")):
        return ("There is no /proc and no /sys here; a program cannot see "
                "the machine.")
    if path.startswith(("/usr/bin/", "/bin/")):
        return f"{NO_PROCESS[:1].upper()}{NO_PROCESS[1:]}."
    if path.startswith(("/usr/", "/etc/")) and case.within("/usr/lib/"):
        return "That file of the library is not here."
    files = _home_files()
    same = _same_name(path, files)
    above = path.rpartition("/")[0]
    if same and same != path:
        return f"There is a file '{same}' in the working directory."
    if path[:1] == "/" and not above and is_outside(path):
        above = path
    if above and not _exists(above):
        more = " " + _files_words(files) if files else ""
        return _missing_folder(above) + more
    return _files_words(files)


def _files_words(files: list[str]) -> str:
    if not files:
        return ("No file is here: the request brought none. Send it with the "
                "request.")
    return f"The files here are: {listed(files, len(files))}."


def _missing_folder(folder: str) -> str:
    if is_outside(folder + "/x"):
        return f"There is no directory '{folder[:SHOWN_CHARS]}'. {_writable()}"
    return (f"There is no directory '{folder[:SHOWN_CHARS]}': make it first by "
            f"os.makedirs('{folder[:SHOWN_CHARS]}', exist_ok=True).")


def save_folder(case: Case) -> Optional[str]:
    found = _search(r"non-existent directory: '(.*)'", case.text)
    return _missing_folder(found[1]) if found else None


def read_only(case: Case) -> Optional[str]:
    if case.number() not in (errno.EROFS, errno.EACCES, errno.EPERM):
        return None
    path = case.path()
    return _writable() if path and is_outside(path) else None


def database(case: Case) -> Optional[str]:
    if "unable to open database file" not in case.text:
        return None
    return f"Its directory does not exist, or cannot be written. {_writable()}"


def named_in_text(case: Case) -> Optional[str]:
    """docx, geopandas and others: a missing file by text alone."""
    found = _search(r"(?:Package not found at|No such file or directory:?|"
                    r"[Ff]ile not found:?|does not exist:?)\s*'?([\w./ -]+)|"
                    r"File '?([\w./ -]+)'? does not exist|"
                    r"^'?([\w./ -]+)'? not found", case.text)
    name = found[1] or found[2] or found[3] if found else ""
    if not name or _exists(name) or "." not in name:
        return None
    files = _home_files()
    same = _same_name(name, files)
    return (f"There is a file '{same}' in the working directory." if same
            else _files_words(files))


def no_match(case: Case) -> Optional[str]:
    """glob.glob(...)[0]"""
    if not _search(r"\bi?glob\(|listdir\(|namelist\(", case.line()):
        return None
    return f"No file matches. {_files_words(_home_files())}"


def none_read(case: Case) -> Optional[str]:
    """cv2.imread() of a file that is not there, and then .shape"""
    if "'NoneType'" not in case.text or "cv2" not in _modules or \
            not any("imread" in line for line in case.job.lines[:1000]):
        return None
    return ("cv2.imread returns None for a file that it cannot read. "
            f"{_files_words(_home_files())}")


# -- refused

def network(case: Case) -> Optional[str]:
    number = case.number()
    offline = "gaierror" in case.classes or \
        number == errno.EAFNOSUPPORT or \
        "TLS CA certificate" in case.text or NO_NETWORK in case.text or (
            number in (errno.EPERM, errno.EACCES) and
            case.within("/socket.py", "/socketserver.py"))
    if not offline:
        return None
    words = "There is no network here. "
    if case.within("sklearn/datasets"):
        return words + ("sklearn's load_iris(), load_wine(), load_diabetes(), "
                        "load_digits() and make_* need none.")
    if case.within("seaborn/utils") and _exists(_SAMPLES):
        return words + ("load_dataset('tips') and load_dataset('iris') need "
                        "none. Make other data in the program, or send a file "
                        "with the request.")
    if case.within("seaborn/utils", "statsmodels/datasets", "vega_datasets"):
        return words + ("Make the data in the program, or use sklearn's "
                        "load_iris() and the like, or send a file with the "
                        "request.")
    return words + "Send the data as a file with the request."


def process(case: Case) -> Optional[str]:
    if NO_PROCESS in case.text or "out of pty devices" in case.text or (
            case.number() == errno.EPERM and not case.path() and
            case.within("/subprocess.py", "<frozen os>")):
        found = _search(f"{NO_PROCESS}[:,] (use|and) ([^'\n]*)", case.text)
        words = f"{NO_PROCESS[:1].upper()}{NO_PROCESS[1:]}"
        if found and found[1] == "and":
            return f"{words}, and {found[2].rstrip(': .')}."
        return f"{words}. In Python: use {found[2].rstrip(': ')}." if found \
            else f"{words}."
    return None


def machine_code(case: Case) -> Optional[str]:
    if "executable memory" not in case.text:
        return None
    return ("Machine code cannot be made at run time here, so a compiler such "
            "as numba's does not work. Use numpy's own functions.")


def refused(case: Case) -> Optional[str]:
    if case.number() not in (errno.EPERM, errno.EACCES, errno.EROFS,
                             errno.ENOSYS):
        return None
    return ("Programs here cannot start processes or other programs, have no "
            "network, and can write to their home directory and /tmp only.")


_PROGRAMS = (
    ("tesseract", "No library here reads text in pictures. Send the text "
     "itself, or a PDF that has text (fitz: page.get_text())."),
    ("kaleido", "Use fig.write_html(), or draw it with matplotlib."),
    ("latex", "Use matplotlib's own mathtext ($x^2$) without usetex."),
    ("ffmpeg", "Save an animation as GIF: writer='pillow'."),
    ("graphviz executables", "Draw the graph with networkx and matplotlib."),
    ("GraphViz", "Draw the graph with networkx and matplotlib."),
    ("wkhtmltopdf", "Make PDF with reportlab."),
    ("libreoffice", "Make documents with docx, openpyxl or reportlab."),
    ("chrome", "There is no browser. Write HTML, or draw with matplotlib."),
    ("browser", "There is no browser. Write HTML, or draw with matplotlib."),
    ("CBC_CMD", "Use scipy.optimize.linprog or milp."),
    ("GLPK", "Use scipy.optimize.linprog or milp."),
    ("unrar", "Only zip, tar, gz, bz2 and xz can be read."),
)


def program(case: Case) -> Optional[str]:
    """Libraries that miss a program."""
    if "use fig.write_html" in case.text or "\nHint: " in case.text:
        return None  # this runner's own words
    if not _search(r"(?i)not (?:installed|found|in your path|available)|"
                   r"requires? |[Cc]ould not find|[Ff]ailed to execute|locate|"
                   r"^Need ",
                   case.text):
        return None
    for name, words in _PROGRAMS:
        if name.lower() in case.text.lower():
            return f"Programs such as {name.split()[0]} cannot be started " \
                   f"here. {words}"
    return None


def display(case: Case) -> Optional[str]:
    if "terminfo" in case.text:
        return "There is no terminal here: print text line by line."
    if not _search(r"no display name|\$DISPLAY|connect to X|"
                   r"cvShowImage|cvNamedWindow|cvWaitKey|"
                   r"GTK backend|libBLT|Tcl wasn't installed|"
                   r"QXcb|xcb|imshow|namedWindow",
                   case.text):
        return None
    return ("There is no display here. Draw with matplotlib, or save the "
            "picture as a file.")


# -- limits

def _size(text: str) -> str:
    found = _search(r"Unable to allocate ([\d.]+ \w+)", text)
    return f"; this array needs {found[1]} more" if found else ""


def memory(case: Case) -> Optional[str]:
    if "OSError" in case.classes and case.number() != errno.ENOMEM:
        return None
    most = f"This run had {case.job.memory_mb} MB in all" \
        if case.job.memory_mb else "A run's memory is limited here"
    return (f"{most}{_size(case.text)}. Take less at a time (chunksize, "
            "usecols, nrows), or smaller types (float32, category).")


def time_up(case: Case) -> Optional[str]:
    limit = case.job.timeout_ms
    most = f"This run had {limit / 1000:g} s" if 0 < limit < NO_LIMIT else \
        "The time of a run is limited here"
    return (f"{most}; a request can lower the limit, not raise it. Use less "
            "data or fewer rounds, a faster way (numpy instead of loops), or "
            "divide the work among several requests.")


def disk(case: Case) -> Optional[str]:
    if case.number() not in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
        return None
    return (f"The working directory and /tmp have {case.job.home_bytes >> 20} "
            f"MB and {case.job.home_inodes} files in all. Remove files, or "
            "write less.")


def open_files(case: Case) -> Optional[str]:
    if case.number() != errno.EMFILE:
        return None
    return ("Too many files are open at one time. Close each after use: "
            "with open(...) as file.")


def threads(case: Case) -> Optional[str]:
    if "can't start new thread" not in case.text:
        return None
    most = f"{case.job.threads} threads" if case.job.threads else \
        "threads that are limited in number"
    return (f"A run may have {most}. Use a pool: concurrent.futures."
            "ThreadPoolExecutor(max_workers=8).")


def recursion(case: Case) -> Optional[str]:
    return (f"Calls may be nested {_getdepth()} deep. Check where the "
            "recursion ends, or write it as a loop with a list.")


# -- input

def stdin(case: Case) -> Optional[str]:
    return ("input() reads the text that the request sends as stdin, and it "
            "has no more lines. Send it in the request, or put the values "
            "into the program.")


def environment(case: Case) -> Optional[str]:
    """os.environ[...]"""
    frame = next(case.frames(), None)
    if frame is None or frame.f_code.co_filename != "<frozen os>":
        return None
    return ("That variable is not set. A request can set it by its field env. "
            "A key of a service is of no use: there is no network.")


def arguments(case: Case) -> Optional[str]:
    """argparse, or sys.argv[1]"""
    if not case.within("/argparse.py") and "argv" not in case.line():
        return None
    return ("The program has no arguments but those that the request sends as "
            "args. Send them, or put the values into the program.")


_KINDS = (
    ("Excel file format cannot be determined|is not a zip file|"
     "cannot identify image file|not a valid ZIP|Not a gzipped file",
     "The file is of another kind than its name says, or is not whole. Look "
     "at its beginning: open(path, 'rb').read(64)."),
    ("unknown file extension: \\.(?:avif|hei[cf]|jxl)",
     "PIL is installed here without that format. Write PNG, JPEG or WebP."),
    ("Error tokenizing data", "Rows differ in length: look at the first "
     "lines, then set sep, skiprows or quotechar, or on_bad_lines='skip'."),
    ("Extra data: line 2 column 1", "The file has a JSON value in each line: "
     "read it by pandas.read_json(path, lines=True), or json.loads of each "
     "line."),
)


def kind(case: Case) -> Optional[str]:
    """A file that is not what the program takes it for."""
    for pattern, words in _KINDS:
        if _search(pattern, case.text):
            return words
    return None


# East Asian encodings; and the character set with the common characters of
# each, and the first bytes that those have in it.
_ENCODINGS = (
    ("gb18030", "gb2312", 0xb0, 0xd7), ("big5", "big5", 0xa4, 0xc6),
    ("shift_jis", "shift_jis", 0x88, 0x97), ("euc_kr", "euc_kr", 0xb0, 0xc8))


def _is_common(char: str, charset: str, low: int, high: int) -> bool:
    if "\u3000" <= char <= "\u301f" or "\uff01" <= char <= "\uff5e":
        return True  # punctuation
    if "\u3040" <= char <= "\u30ff":
        return charset == "shift_jis"
    try:
        return low <= _encode(char, charset)[0] <= high
    except UnicodeEncodeError:
        return False


def _share(data: bytes, encoding: tuple[str, str, int, int]) -> float:
    """The share of common characters in those of DATA beyond ASCII."""
    name, *common = encoding
    for end in (len(data), len(data) - 1):  # a character may be cut
        try:
            wide = [char for char in _decode(data[:end], name)
                    if char > "\x7f"]
        except UnicodeDecodeError:
            continue
        found = sum(_is_common(char, *common) for char in wide)
        return found / len(wide) if len(wide) > 1 else 0.0
    return 0.0


_MAGIC = (
    (b"PK\x03\x04", "a zip archive, or an xlsx or docx file: pandas."
     "read_excel, docx.Document or zipfile reads it"),
    (b"\x1f\x8b", "compressed by gzip: open it by gzip.open, or pandas with "
     "compression='gzip'"),
    (b"%PDF", "a PDF: pypdf or pdfminer reads it"),
    (b"\x89PNG", "a picture: PIL.Image.open reads it"),
    (b"\xff\xd8\xff", "a picture: PIL.Image.open reads it"),
    (b"\xd0\xcf\x11\xe0", "an old xls or doc file: pandas.read_excel with "
     "xlrd reads xls"),
    (b"SQLite format 3", "a database: sqlite3.connect reads it"),
    (b"\x80\x04", "a pickle: pickle.load reads it"),
)


def _encoding(data: bytes) -> Optional[str]:
    """An encoding that fits DATA."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or \
            data[:200].count(b"\0") > len(data[:200]) // 4:
        return "utf-16"
    share, best = max((_share(data, row), row[0]) for row in _ENCODINGS)
    if share > 0.6:
        return best
    try:
        _decode(data, "cp1252")
        return "cp1252"
    except UnicodeDecodeError:
        return "latin-1"


def decoding(case: Case) -> Optional[str]:
    data = getattr(case.exc, "object", None)
    if not isinstance(data, (bytes, bytearray)):
        return None
    data = bytes(data[:PROBE])
    for magic, words in _MAGIC:
        if data.startswith(magic):
            return f"The file is {words}."
    return (f"The bytes fit encoding='{_encoding(data)}'; pass it to open() "
            "or pandas.read_csv().")
