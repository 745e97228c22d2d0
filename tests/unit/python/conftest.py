"""Two interpreters are kept: one with nothing preloaded, and one with numpy,
pandas and matplotlib."""

import pytest

from interpreter import LIBRARIES
from jobs import Interpreter


@pytest.fixture(scope="session")
def run():
    interpreter = Interpreter("")
    yield interpreter
    interpreter.close()


@pytest.fixture(scope="session")
def full():
    interpreter = Interpreter(LIBRARIES)
    yield interpreter
    interpreter.close()
