"""Modules of libraries that are not installed: sandbox/python/adapters/.

What each adapter does is shown by programs (tests/e2e/programs/). These tests
are about how they are imported.
"""

from __future__ import annotations

import importlib.util

import pytest

from client import Client

NEEDS = {"barcode": "PIL", "bokeh": "matplotlib", "cvxpy": "cvxopt",
         "duckdb": "pandas", "fpdf": "reportlab", "haversine": "json",
         "imagehash": "scipy", "lifelines": "pandas", "lightgbm": "sklearn",
         "missingno": "seaborn", "mlxtend": "sklearn", "mplfinance": "pandas",
         "numpy_financial": "numpy", "orjson": "json",
         "ortools": "pycryptosat", "pdfplumber": "pdfminer",
         "polars": "pandas", "pptx": "lxml", "pyarrow": "pandas",
         "rapidfuzz": "json", "squarify": "matplotlib",
         "wordcloud": "matplotlib"}


def is_here(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


ADAPTED = [name for name, need in NEEDS.items()
           if not is_here(name) and is_here(need)]


@pytest.mark.parametrize("name", NEEDS)
def test_it_says_what_it_is(client: Client, name: str) -> None:
    if name not in ADAPTED:
        pytest.skip(f"{name} is installed, or what it needs is not")
    assert client.value(f"import {name}\n{name}.__file__") == \
        f"<terrarium>/{name}/__init__.py"


@pytest.fixture
def adapted() -> str:
    if "rapidfuzz" not in ADAPTED:
        pytest.skip("rapidfuzz is installed")
    return "rapidfuzz"


def test_a_file_of_the_program_comes_first(client: Client,
                                           adapted: str) -> None:
    answer = client.run(f"import {adapted}\n{adapted}.MINE",
                        {f"{adapted}.py": b"MINE = 5\n"}).json()
    assert answer["final_expression"] == 5, answer


def test_it_has_no_other_modules(client: Client, adapted: str) -> None:
    answer = client.run(f"import {adapted}.nosuch").json()
    assert answer["error"]["type"] == "ModuleNotFoundError"
    assert f"No module named '{adapted}.nosuch'" in answer["error"]["message"]


def test_it_says_what_does_the_work_of_its_other_modules(
        client: Client) -> None:
    if "mlxtend" not in ADAPTED:
        pytest.skip("mlxtend is installed, or sklearn is not")
    answer = client.run("import mlxtend.plotting").json()
    message = answer["error"]["message"]
    assert "without plotting. Use sklearn" in message, message


def test_a_part_of_a_module_of_the_same_name_is_not_ours(
        client: Client, adapted: str) -> None:
    answer = client.run(f"import {adapted}.fuzz",
                        {f"{adapted}/__init__.py": b""}).json()
    assert answer["error"]["type"] == "ModuleNotFoundError", answer


def test_its_lines_are_in_a_traceback(client: Client, adapted: str) -> None:
    answer = client.run(f"from {adapted} import fuzz\nfuzz.ratio(1, 2)").json()
    message = answer["error"]["message"]
    assert answer["error"]["type"] == "TypeError"
    assert f'File "<terrarium>/{adapted}/' in message
    assert "_terrarium" not in message


def test_magic_pip_knows_it(client: Client, adapted: str) -> None:
    answer = client.run(f"%pip install {adapted}\n1").json()
    assert answer["success"], answer
    assert "is installed" in answer["std_out"], answer
