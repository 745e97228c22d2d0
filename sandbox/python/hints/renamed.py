"""renamed - names of libraries that were renamed or removed, or are newer than
the installed version, and what to write. hints_names.py uses them."""

from __future__ import annotations

from .own import BUILTINS as __builtins__

# Names of libraries that were renamed, removed, or that are newer than the
# installed version: "module.name" or "class.name", and what to write.
RENAMED = {
    "dict.iteritems": "items()", "dict.has_key": "key in d",
    "dict.iterkeys": "keys()", "dict.itervalues": "values()",
    "DataFrame.append": "pd.concat([df, other])",
    "Series.append": "pd.concat([s, other])",
    "DataFrame.iteritems": "items()", "Series.iteritems": "items()",
    "DataFrame.ix": "loc or iloc", "Series.ix": "loc or iloc",
    "DataFrame.as_matrix": "to_numpy()", "DataFrame.get_value": "at",
    "DataFrame.map": "applymap()", "DataFrame.applymap": "map()",
    "DataFrame.sort": "sort_values()", "DataFrame.order": "sort_values()",
    "DataFrame.mad": "(df - df.mean()).abs().mean()",
    "Series.mad": "(s - s.mean()).abs().mean()",
    "DataFrame.lookup": "to_numpy() with an index",
    "DatetimeProperties.weekofyear": "isocalendar().week",
    "DatetimeProperties.week": "isocalendar().week",
    "DatetimeIndex.week": "isocalendar().week",
    "Series.case_when": "numpy.select()",
    "Generator.spawn": "numpy.random.default_rng(one) for each one of "
        "numpy.random.SeedSequence(seed).spawn(n)",
    "SevenZipFile.writestr": "write() of a file that has the text",
    "babel.numbers.format_compact_currency":
        "babel.numbers.format_currency() of the whole number",
    "networkx.write_network_text": "print(nx.forest_str(G))",
    "networkx.generate_network_text": "nx.forest_str(G)",
    "scipy.optimize.isotonic_regression": "sklearn.isotonic.IsotonicRegression",
    "scipy.stats.CensoredData":
        "scipy.optimize.minimize of your own likelihood",
    "pulp.HiGHS": "pulp.PULP_CBC_CMD",
    "AxesSubplot.grouped_bar": "ax.bar() for each group, shifted by its width",
    "Axes.grouped_bar": "ax.bar() for each group, shifted by its width",
    "Document.add_comment": "a paragraph with the comment's text",
    "pandas.col": "lambda df: df[name]",
    "pydantic.RootModel": "pydantic.TypeAdapter",
    "pydantic.WrapValidator": "pydantic.field_validator",
    "pydantic.model_serializer": "pydantic.field_serializer, or a method of "
        "your own",
    "pydantic.StringConstraints": "pydantic.constr",
    "Certificate.not_valid_after_utc":
        "not_valid_after.replace(tzinfo=datetime.timezone.utc)",
    "Certificate.not_valid_before_utc":
        "not_valid_before.replace(tzinfo=datetime.timezone.utc)",
    "Page.insert_htmlbox": "page.insert_textbox()",
    "cv2.aruco.ArucoDetector": "cv2.aruco.detectMarkers()",
    "scipy.sparse.eye_array": "scipy.sparse.eye",
    "scipy.sparse.random_array": "scipy.sparse.random",
    "scipy.sparse.diags_array": "scipy.sparse.diags",
    "scipy.signal.ShortTimeFFT": "scipy.signal.stft",
    "cv2.aruco.generateImageMarker": "cv2.aruco.drawMarker()",
    "pandas.Panel": "a DataFrame with a MultiIndex",
    "pandas.datetime": "datetime.datetime",
    "numpy.bool": "bool or numpy.bool_", "numpy.int": "int or numpy.int64",
    "numpy.float": "float or numpy.float64", "numpy.object": "object",
    "numpy.str": "str", "numpy.complex": "complex",
    "numpy.long": "int or numpy.int64",
    "numpy.float_": "numpy.float64", "numpy.complex_": "numpy.complex128",
    "numpy.unicode_": "numpy.str_", "numpy.Inf": "numpy.inf",
    "numpy.NaN": "numpy.nan", "numpy.NAN": "numpy.nan",
    "numpy.infty": "numpy.inf", "numpy.product": "numpy.prod",
    "numpy.cumproduct": "numpy.cumprod", "numpy.alltrue": "numpy.all",
    "numpy.sometrue": "numpy.any", "numpy.in1d": "numpy.isin",
    "numpy.row_stack": "numpy.vstack", "numpy.trapz": "numpy.trapezoid",
    "numpy.trapezoid": "numpy.trapz", "numpy.concat": "numpy.concatenate",
    "numpy.permute_dims": "numpy.transpose",
    "numpy.matrix_transpose": "numpy.swapaxes(x, -1, -2)",
    "numpy.astype": "x.astype(type)", "numpy.pow": "numpy.power",
    "numpy.acos": "numpy.arccos", "numpy.asin": "numpy.arcsin",
    "numpy.atan": "numpy.arctan", "numpy.atan2": "numpy.arctan2",
    "numpy.isdtype": "numpy.issubdtype",
    "numpy.unique_values": "numpy.unique", "numpy.vecdot":
    "(a * b).sum(axis=-1)", "numpy.asfarray": "numpy.asarray(x, float)",
    "numpy.unique_inverse": "numpy.unique(x, return_inverse=True)",
    "numpy.unique_all": "numpy.unique with return_index, return_inverse and "
    "return_counts", "numpy.msort": "numpy.sort(x, axis=0)", "numpy.mat": "numpy.asmatrix",
    "scipy.integrate.simps": "scipy.integrate.simpson",
    "scipy.integrate.trapz": "scipy.integrate.trapezoid",
    "scipy.integrate.cumtrapz": "scipy.integrate.cumulative_trapezoid",
    "scipy.integrate.cubature": "scipy.integrate.nquad",
    "scipy.integrate.tanhsinh": "scipy.integrate.quad",
    "scipy.stats.chatterjeexi": "scipy.stats.spearmanr",
    "scipy.stats.Normal": "scipy.stats.norm(loc, scale)",
    "scipy.stats.Uniform": "scipy.stats.uniform(low, high - low)",
    "scipy.stats.make_distribution": "scipy.stats.rv_continuous",
    "scipy.stats.quantile": "numpy.quantile",
    "scipy.misc.imread": "PIL.Image.open", "scipy.misc.imresize":
    "PIL.Image.resize", "scipy.misc.imsave": "PIL.Image.save",
    "scipy.misc.factorial": "scipy.special.factorial",
    "scipy.misc.comb": "scipy.special.comb",
    "scipy.misc.derivative": "numpy.gradient",
    "scipy.stats.binom_test": "scipy.stats.binomtest",
    "scipy.stats.median_absolute_deviation":
        "scipy.stats.median_abs_deviation",
    "scipy.signal.hann": "scipy.signal.windows.hann",
    "scipy.signal.hamming": "scipy.signal.windows.hamming",
    "scipy.interp": "numpy.interp", "scipy.inf": "numpy.inf",
    "sklearn.metrics.root_mean_squared_error":
        "mean_squared_error(y, p, squared=False)",
    "sklearn.metrics.plot_confusion_matrix":
        "ConfusionMatrixDisplay.from_estimator",
    "sklearn.metrics.plot_roc_curve": "RocCurveDisplay.from_estimator",
    "sklearn.metrics.SCORERS": "get_scorer_names()",
    "sklearn.datasets.load_boston": "load_diabetes(), or your own data",
    "sklearn.externals.joblib": "import joblib",
    "sklearn.preprocessing.Imputer": "sklearn.impute.SimpleImputer",
    "sklearn.preprocessing.CategoricalEncoder": "OneHotEncoder",
    "sklearn.model_selection.TunedThresholdClassifierCV":
        "a loop over thresholds of predict_proba()",
    "sklearn.model_selection.FixedThresholdClassifier":
        "predict_proba()[:, 1] >= threshold",
    "sklearn.utils.testing": "numpy.testing",
    "PIL.Image.ANTIALIAS": "Image.LANCZOS",
    "ImageDraw.textsize": "textbbox((0, 0), text, font=font)",
    "FreeTypeFont.getsize": "getbbox(text)",
    "sqlalchemy.orm.MappedAsDataclass": "DeclarativeBase alone, without "
    "dataclasses; it needs sqlalchemy 2",
    "sqlalchemy.orm.WriteOnlyMapped": "Mapped; it needs sqlalchemy 2",
    "networkx.info": "print(G)", "networkx.write_gpickle": "pickle.dump",
    "networkx.read_gpickle": "pickle.load",
    "networkx.write_latex": "networkx.draw, or a text of your own",
    "networkx.to_latex": "networkx.draw, or a text of your own",
    "networkx.to_numpy_matrix": "networkx.to_numpy_array",
    "networkx.from_numpy_matrix": "networkx.from_numpy_array",
    "Graph.node": "G.nodes", "DiGraph.node": "G.nodes",
    "Ttest_indResult.confidence_interval":
        "scipy.stats.t.interval() with the means' difference",
    "TtestResult.confidence_interval":
        "scipy.stats.t.interval() with the means' difference",
    "matplotlib.cm.get_cmap": "matplotlib.colormaps[name]",
    "matplotlib.pyplot.hold": "nothing: drawings add up",
    "seaborn.distplot": "seaborn.histplot",
    "seaborn.factorplot": "seaborn.catplot",
    "datetime.now": "datetime.datetime.now()",
    "datetime.today": "datetime.datetime.today()",
    "datetime.utcnow": "datetime.datetime.utcnow()",
    "datetime.strptime": "datetime.datetime.strptime()",
    "datetime.fromisoformat": "datetime.datetime.fromisoformat()",
    "datetime.fromtimestamp": "datetime.datetime.fromtimestamp()",
    "datetime.datetime.timedelta": "timedelta (from datetime import it)",
    "datetime.datetime.date": "date (from datetime import it)",
    "datetime.datetime.datetime": "datetime: it is the class already",
    "time.clock": "time.perf_counter()", "math.product": "math.prod",
    "fractions.gcd": "math.gcd", "string.letters": "string.ascii_letters",
    "string.maketrans": "str.maketrans", "os.getcwdu": "os.getcwd()",
    "inspect.getargspec": "inspect.getfullargspec",
    "itertools.izip": "zip", "itertools.imap": "map",
    "itertools.ifilter": "filter", "itertools.batched":
    "more_itertools.chunked, or slices",
    "collections.Mapping": "collections.abc.Mapping",
    "collections.MutableMapping": "collections.abc.MutableMapping",
    "collections.Iterable": "collections.abc.Iterable",
    "collections.Sequence": "collections.abc.Sequence",
    "collections.Callable": "collections.abc.Callable",
    "collections.Hashable": "collections.abc.Hashable",
    "typing.override": "typing_extensions.override, or nothing",
    "typing.TypeIs": "typing.TypeGuard",
    "asyncio.async": "asyncio.ensure_future",
    "asyncio.coroutine": "async def", "unittest.makeSuite":
    "unittest.defaultTestLoader", "str.decode": "nothing: it is text already",
    "xml.etree.cElementTree": "xml.etree.ElementTree",
    "Element.getchildren": "list(element)",
    "Element.getiterator": "element.iter()",
    "Thread.isAlive": "is_alive()", "array.tostring": "tobytes()",
    "ndarray.tostring": "tobytes()", "sys.maxint": "sys.maxsize",
    "werkzeug.secure_filename": "werkzeug.utils.secure_filename",
    "PdfFileReader.getNumPages": "len(reader.pages)",
}
# Words of pandas and others that are newer than Debian 12's, and the older.
KEYWORDS = {
    "include_groups": "leave it out", "tick_labels": "labels",
    "dtype_backend": "leave it out", "date_format": "date_parser",
    "sparse_output": "sparse", "sparse": "sparse_output",
    "squared": "root_mean_squared_error",
    "line_terminator": "lineterminator", "lineterminator": "line_terminator",
    "error_bad_lines": "on_bad_lines='skip'",
    "warn_bad_lines": "on_bad_lines='warn'", "n_iter": "max_iter",
    "base_estimator": "estimator", "estimator": "base_estimator",
    "normed": "density", "mangle_dupe_cols": "leave it out",
    "infer_datetime_format": "leave it out", "shade": "fill",
    "ci": "errorbar", "errorbar": "ci",
    "affinity": "metric",
    "extraction_mode": "leave it out",
    "algorithm": "leave it out (pypdf then encrypts by RC4)",
    "early_stopping_rounds": "give it to the constructor",
}


# Names that programs use without importing them.
USUAL = {"np": "import numpy as np", "pd": "import pandas as pd",
          "plt": "import matplotlib.pyplot as plt",
          "sns": "import seaborn as sns", "sm":
          "import statsmodels.api as sm", "px":
          "import plotly.express as px", "go":
          "import plotly.graph_objects as go", "nx":
          "import networkx as nx", "sp": "import sympy as sp",
          "tf": "tensorflow", "datetime": "from datetime import datetime",
          "timedelta": "from datetime import timedelta",
          "date": "from datetime import date",
          "defaultdict": "from collections import defaultdict",
          "Counter": "from collections import Counter",
          "Path": "from pathlib import Path",
          "Image": "from PIL import Image", "BytesIO":
          "from io import BytesIO", "StringIO": "from io import StringIO",
          "xrange": "range", "raw_input": "input", "unicode": "str",
          "reduce": "from functools import reduce"}
