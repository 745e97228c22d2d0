"""newer - names of newer libraries, where Debian's are older.

Programs are written for the libraries of their time: pandas 2.2 and numpy 2,
while Debian 12 has pandas 1.5 and numpy 1.24. A new name of a thing that the
old library has under another name works here, and newer words of functions
that it has (newer_tables.py and others beside this file). All else of a library
is as it was, but for two defects of the old versions.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .stand_ins import stand_in

import datetime
import functools
import importlib.util
import inspect
import os
import sys
import types
import warnings
from typing import Any, NamedTuple

_find_spec, _import = importlib.util.find_spec, importlib.import_module
# numpy 2's names, and those of numpy 1.
_NUMPY = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin",
    "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2",
    "atanh": "arctanh", "bitwise_invert": "invert",
    "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
    "bool": "bool_", "concat": "concatenate", "long": "int_",
    "permute_dims": "transpose", "pow": "power", "trapezoid": "trapz",
    "ulong": "uint", "unique_values": "unique",
}
_NUMPY_ERRORS = ("AxisError", "ComplexWarning", "ModuleDeprecationWarning",
                 "RankWarning", "TooHardError", "VisibleDeprecationWarning")
# pandas 2.2's frequencies, and those of pandas 1.
_FREQUENCIES = {"BME": "BM", "BQE": "BQ", "BYE": "BA", "CBME": "CBM",
                "ME": "M", "QE": "Q", "SME": "SM", "YE": "A"}
_WHOLE = {"BQE": "BQ-DEC", "BYE": "BA-DEC", "QE": "Q-DEC", "YE": "A-DEC"}
_CLASSIFIERS = "/usr/share/opencv4/haarcascades/"
_is_dir = os.path.isdir
_TRIES = 1000       # of a value that was not drawn before
_EACH_ITS_FORMAT = ("mixed", "ISO8601")  # pandas 1.5 does it without


class _Counts(NamedTuple):
    """What numpy.unique_counts() returns."""
    values: Any
    counts: Any


_Counts.__name__ = _Counts.__qualname__ = "UniqueCountsResult"
_Counts.__module__ = "numpy"


def _add(place: Any, name: str, value: Any) -> None:
    if name not in vars(place):
        setattr(place, name, value)


def _change_numpy(numpy: Any) -> None:
    for new, old in _NUMPY.items():
        if hasattr(numpy, old):
            _add(numpy, new, getattr(numpy, old))
    _add(numpy, "astype",
         lambda x, dtype, /, *, copy=True: x.astype(dtype, copy=copy))
    _add(numpy, "matrix_transpose", lambda x, /: numpy.swapaxes(x, -1, -2))
    _add(numpy, "vecdot", lambda x1, x2, /, *, axis=-1: (
        numpy.conj(x1) * numpy.asarray(x2)).sum(axis))
    _add(numpy, "unique_counts", lambda x, /: _Counts(
        *numpy.unique(x, return_counts=True)))
    _add(numpy.linalg, "vecdot", numpy.vecdot)
    if "exceptions" not in vars(numpy):
        errors = types.ModuleType("numpy.exceptions")
        vars(errors).update({name: getattr(numpy, name)
                             for name in _NUMPY_ERRORS if name in vars(numpy)})
        numpy.exceptions = sys.modules["numpy.exceptions"] = errors


def _change_frequencies(offsets: Any) -> None:
    known = offsets.prefix_mapping
    for new, old in _FREQUENCIES.items():
        if old in known:
            known.setdefault(new, known[old])
            if new in _WHOLE:
                offsets._lite_rule_alias.setdefault(new, _WHOLE[new])


def _change_dates(pandas: Any) -> None:
    old = pandas.to_datetime

    @functools.wraps(old)
    def to_datetime(arg: Any, *args: Any, **options: Any) -> Any:
        if options.get("format") in _EACH_ITS_FORMAT:
            del options["format"]
        return old(arg, *args, **options)

    pandas.to_datetime = to_datetime


def _change_groups(groupby: Any) -> None:
    old = groupby.GroupBy.apply

    @functools.wraps(old)
    def apply(self: Any, func: Any, *args: Any, include_groups: bool = True,
              **options: Any) -> Any:
        if include_groups or not callable(func):
            return old(self, func, *args, **options)
        names = [name for name in self.grouper.names if name is not None]
        return old(self, lambda group: func(
            group.drop(columns=names, errors="ignore"), *args, **options))

    groupby.GroupBy.apply = stand_in(apply, groupby.GroupBy, "apply")


def _is_old(pandas: Any) -> bool:
    return pandas.__version__.startswith("1.")


def _change_pandas(pandas: Any) -> None:
    _add(pandas.DataFrame, "map", pandas.DataFrame.applymap)
    if not _is_old(pandas):
        return
    # It names an argument that newer versions refuse.
    warnings.filterwarnings("ignore", "Treating datetime data as categor",
                            FutureWarning)
    _change_dates(pandas)
    _change_groups(pandas.core.groupby.groupby)
    # Debian's pandas asks for a newer xlrd than Debian's, which reads .xls.
    pandas.compat._optional.VERSIONS["xlrd"] = "1.2.0"


def _change_style(style: Any) -> None:
    for name in ("applymap", "applymap_index"):
        if name in vars(style.Styler):
            _add(style.Styler, name[5:], getattr(style.Styler, name))


class _Fakers:
    """A Faker of several locales: each call is one's of them."""

    def __init__(self, fakers: dict[str, Any]) -> None:
        self._fakers = fakers
        self.locales = list(fakers)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        one = next(iter(self._fakers.values()))
        return getattr(self._fakers[one.random.choice(self.locales)], name)

    def __getitem__(self, locale: str) -> Any:
        return self._fakers[locale]


class _Unique:
    """A Faker whose answers do not repeat, of Faker 5."""

    def __init__(self, faker: Any) -> None:
        self._faker, self._seen = faker, set()  # type: ignore[var-annotated]

    def clear(self) -> None:
        self._seen.clear()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        plain = getattr(self._faker, name)

        def draw(*args: Any, **options: Any) -> Any:
            for _ in range(_TRIES):
                found = plain(*args, **options)
                key = (name, args, repr(found))
                if key not in self._seen:
                    self._seen.add(key)
                    return found
            raise ValueError(f"Got duplicated values after {_TRIES:,} "
                             "attempts.")

        return draw


def _unique_of(self: Any) -> _Unique:
    if "_unique" not in vars(self):
        self._unique = _Unique(self)
    return self._unique  # type: ignore[no-any-return]


def _change_faker(faker: Any) -> None:
    """A class Faker with seed(), where it is a function."""
    make, seed = faker.Faker, faker.Generator.seed
    _add(faker.Generator, "unique", property(_unique_of))
    if isinstance(make, type):
        return

    def Faker(locale: Any = None, *args: Any, **options: Any) -> Any:
        if isinstance(locale, (list, tuple, dict)):
            return _Fakers({one: make(one, *args, **options)
                            for one in locale})
        return make(locale, *args, **options)

    Faker.seed = seed  # type: ignore[attr-defined]
    faker.Faker = Faker


def _as_utf8(text: str) -> str:
    """The text of a code. zbar takes UTF-8 for another encoding."""
    for name in ("big5", "shift_jis", "latin-1"):
        try:
            return text.encode(name).decode("utf-8")
        except UnicodeError:
            pass
    return text


def _read_codes(image: Any) -> list[tuple[str, Any]]:
    """The QR codes of an image: text and corners, by zbar."""
    numpy, zbar = _import("numpy"), _import("pyzbar.pyzbar")
    return [(_as_utf8(code.data.decode("utf-8", "replace")),
             numpy.array(code.polygon, numpy.float32))
            for code in zbar.decode(image, [zbar.ZBarSymbol.QRCODE])]


def _with_decoder(plain: Any) -> Any:
    """A QRCodeDetector that decodes: that of OpenCV before 4.8 finds codes
    only, because Debian builds it without quirc."""
    class QRCodeDetector:
        def __init__(self) -> None:
            self._plain = plain()

        def __getattr__(self, name: str) -> Any:
            return getattr(self._plain, name)

        def detectAndDecode(self, img: Any, *_out: Any) -> Any:
            for text, corners in _read_codes(img):
                return text, corners[None], None
            there, corners = self._plain.detect(img)
            return "", corners if there else None, None

        def decode(self, img: Any, points: Any, *_out: Any) -> Any:
            return self.detectAndDecode(img)[0], None

        def detectAndDecodeMulti(self, img: Any, *_out: Any) -> Any:
            found = _read_codes(img)
            if not found:
                return False, (), None, ()
            return (True, tuple(text for text, _ in found),
                    _import("numpy").stack([row for _, row in found]),
                    tuple(None for _ in found))

    QRCodeDetector.__module__ = "cv2"
    return QRCodeDetector


def _change_cv2(cv2: Any) -> None:
    """Debian keeps the classifiers elsewhere than OpenCV's own package."""
    version = tuple(int(part) for part in cv2.__version__.split(".")[:2])
    if version < (4, 8) and _find_spec("pyzbar"):
        cv2.QRCodeDetector = _with_decoder(cv2.QRCodeDetector)
    if not hasattr(cv2, "data") and _is_dir(_CLASSIFIERS):
        cv2.data = types.SimpleNamespace(haarcascades=_CLASSIFIERS)


def _change_country(base: Any) -> None:
    """subdiv= of a country's class, of 0.13: its province or its state."""
    def with_subdiv(kind: Any) -> Any:
        make = kind.__init__

        @functools.wraps(make)
        def __init__(self: Any, *args: Any, subdiv: Any = None,
                     **options: Any) -> None:
            if subdiv is not None:
                part = "state" if hasattr(kind, "STATES") else "prov"
                options[part] = subdiv
            make(self, *args, **options)
        return __init__

    if "subdiv" in inspect.signature(base.__init__).parameters:
        return
    for kind in base.__subclasses__():
        if "__init__" in vars(kind):
            kind.__init__ = with_subdiv(kind)


def _change_states(kind: Any) -> None:
    """Juneteenth, since 2021; the holidays of Debian 12 are of 2019."""
    plain = kind._populate

    @functools.wraps(plain)
    def _populate(self: Any, year: int) -> None:
        plain(self, year)
        if year < 2021:
            return
        name, day = ("Juneteenth National Independence Day",
                     datetime.date(year, 6, 19))
        self[day] = name
        moved = {5: -1, 6: 1}.get(day.weekday())
        if self.observed and moved:
            self[day + datetime.timedelta(moved)] = name + " (Observed)"

    kind._populate = _populate


def _change_holidays(holidays: Any) -> None:
    """The name and the arguments of a country's holidays since 0.13."""
    if not hasattr(holidays, "CountryHoliday"):
        return

    def country_holidays(country: str, subdiv: Any = None, years: Any = (),
                         expand: bool = True, observed: bool = True,
                         prov: Any = None, state: Any = None) -> Any:
        return holidays.CountryHoliday(
            country, years=() if years is None else years, expand=expand,
            observed=observed, prov=prov or subdiv, state=state or subdiv)

    _add(holidays, "country_holidays", country_holidays)
    _change_country(holidays.HolidayBase)
    if not hasattr(holidays.UnitedStates, "subdivisions"):
        _change_states(holidays.UnitedStates)


def _change_7z(helpers: Any) -> None:
    """It compares real paths with others, and /tmp is a link here."""
    old = helpers.get_sanitized_output_path

    def get_sanitized_output_path(fname: str, path: Any) -> Any:
        return old(fname, path and path.resolve())

    helpers.get_sanitized_output_path = get_sanitized_output_path


def _change_geometry(base: Any) -> None:
    _add(base.GeoPandasBase, "union_all",
         lambda self, **_options: self.unary_union)


def _change_qr_codes(module: Any) -> None:
    """Its image passes all methods on to PIL's, which displays do not see."""
    _add(module.PilImage, "_repr_png_",
         lambda self: self.get_image()._repr_png_())


def _change_tqdm(notebook: Any) -> None:
    """Its bar of a notebook needs ipywidgets; here it is one of text."""
    if not _find_spec("ipywidgets"):
        plain = _import("tqdm.std")
        notebook.tqdm = notebook.tqdm_notebook = plain.tqdm
        notebook.trange = notebook.tnrange = plain.trange


def _change_tar(tarfile: Any) -> None:
    """filter=, which Python has since 3.11.4: a guest owns all its files."""
    for name in ("extract", "extractall"):
        plain = getattr(tarfile.TarFile, name)
        if "filter" in inspect.signature(plain).parameters:
            continue

        @functools.wraps(plain)
        def extract(self: Any, *args: Any, plain: Any = plain,
                    filter: Any = None, **options: Any) -> Any:
            return plain(self, *args, **options)

        setattr(tarfile.TarFile, name,
                stand_in(extract, tarfile.TarFile, name))


def _width(texts: list[str], cell: Any) -> int:
    """The characters of a cell of xlsxwriter's."""
    kind = type(cell).__name__
    if kind == "String":
        text = cell.string if isinstance(cell.string, str) else \
            texts[cell.string]
        return max(map(len, text.split("\n")))
    if kind == "Number":
        return len(f"{cell.number:g}") + 1
    return len(str(cell.value)) if kind == "Formula" else 6


def _fit(self: Any, max_width: int = 1790) -> None:
    """Worksheet.autofit(), of xlsxwriter 3.0.6: widths by the characters."""
    texts = list(self.str_table.string_table)
    widths: dict[int, int] = {}
    for row in self.table.values():
        for column, cell in row.items():
            if type(cell).__name__ != "Blank":
                widths[column] = max(widths.get(column, 0),
                                     _width(texts, cell))
    for column, width in widths.items():
        self.set_column(column, column, min(width * 1.1 + 1, max_width / 7))


def _change_sheets(worksheet: Any) -> None:
    _add(worksheet.Worksheet, "autofit", _fit)


def _silence(*words: str) -> Any:
    """Ignore warnings of old versions that programs cannot heed: they begin
    with WORDS."""
    def change(_module: Any) -> None:
        for begin in words:
            warnings.filterwarnings("ignore", begin)
    return change


when_imported({
    "dateparser": _silence("The localize method is no longer necessary"),
    "jellyfish": _silence("getargs: The 'u' format is deprecated"),
    "cv2": _change_cv2,
    "geopandas.base": _change_geometry,
    "qrcode.image.pil": _change_qr_codes,
    "tarfile": _change_tar,
    "tqdm.notebook": _change_tqdm,
    "xlsxwriter.worksheet": _change_sheets,
    "faker": _change_faker,
    "holidays": _change_holidays,
    "numpy": _change_numpy,
    "pandas": _change_pandas,
    "pandas._libs.tslibs.offsets": _change_frequencies,
    "pandas.io.formats.style": _change_style,
    "py7zr.helpers": _change_7z,
})
