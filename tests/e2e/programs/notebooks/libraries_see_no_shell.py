# Libraries behave as outside of notebooks.
# expect: success
# needs: sympy pandas
# final: "x**2"
import IPython
import pandas
from pandas.io.formats.console import in_ipython_frontend
from sympy import init_printing, symbols
init_printing()
assert get_ipython() is not None and not in_ipython_frontend()
symbols("x") ** 2
