"""snippet - the check of a snippet that belongs into a solver's skeleton.

A program may put generated text into a skeleton of its own, which has the names
below. The check reports text that leaves it. It is advice: a program that wants
to deceive it can.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__

import ast
from typing import Iterable, Iterator, Sequence

_CALLS = frozenset((
    "open", "exec", "eval", "compile", "input", "print", "breakpoint",
    "globals", "locals", "vars", "__import__"))
_ATTRIBUTES = frozenset((
    "__import__", "__builtins__", "__class__", "__bases__", "__subclasses__",
    "__mro__"))
_PRIVATE = frozenset(("__import__", "__builtins__"))  # refused as names, too
_SKELETON = frozenset((
    "model", "slots", "data", "assignments", "days", "periods",
    "periods_by_day", "constraints", "custom_specs", "schedule"))
_HARMLESS = frozenset((
    "len", "range", "int", "str", "set", "list", "dict", "tuple", "frozenset",
    "sum", "min", "max", "sorted", "reversed", "round", "divmod", "zip", "map",
    "filter", "enumerate", "isinstance", "bool", "float", "abs", "all", "any",
    "ValueError", "NotImplementedError"))

MOST = 20         # findings that are reported
NAME_CHARS = 60   # of a name that is reported


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    if type(node) is ast.Import:
        return [alias.name for alias in node.names]
    return ["." * node.level + (node.module or "")]


def _may_import(module: str, allow: Iterable[str]) -> bool:
    """Whether ALLOW has MODULE, or a package that it is in."""
    return any(module == one or module.startswith(one + ".")
               for one in allow if one)


def _assigned(tree: ast.AST) -> set[str]:
    """The names that the snippet binds, in whatever scope."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if type(node) is ast.Name:
            if type(node.ctx) is ast.Store:
                found.add(node.id)
        elif type(node) is ast.arg:
            found.add(node.arg)
        elif type(node) is ast.alias:
            found.add(node.asname or node.name.partition(".")[0])
        else:  # functions, classes, except, patterns
            for name in (getattr(node, "name", None),
                         getattr(node, "rest", None)):
                if type(name) is str:
                    found.add(name)
    return found


def _called(node: ast.Call) -> str:
    """The last part of the called name, or ""."""
    function = node.func
    return getattr(function, "id", "") or getattr(function, "attr", "")


def _is_known(name: str, assigned: set[str]) -> bool:
    if name in _PRIVATE:
        return False
    return (name[:1] == "_" or name in assigned or name in _SKELETON
            or name in _HARMLESS)


def _of_node(node: ast.AST, assigned: set[str],
             allow: Sequence[str]) -> Iterator[str]:
    """The findings of one node, without their line."""
    if type(node) in (ast.Import, ast.ImportFrom):
        for module in _modules(node):
            if not _may_import(module, allow):
                yield f"import of {module[:NAME_CHARS]}"
    elif type(node) is ast.Call and _called(node) in _CALLS:
        yield f"call of {_called(node)}"
    elif type(node) is ast.Attribute and node.attr in _ATTRIBUTES:
        yield f"attribute {node.attr}"
    elif type(node) is ast.Name and type(node.ctx) is ast.Load:
        if not _is_known(node.id, assigned):
            yield f"name {node.id[:NAME_CHARS]}"


def _findings(tree: ast.AST, allow: Sequence[str]) -> Iterator[
        tuple[int, int, str]]:
    assigned = _assigned(tree)
    told = {id(node.func) for node in ast.walk(tree)
            if type(node) is ast.Call and _called(node) in _CALLS}
    for node in ast.walk(tree):
        if id(node) in told:
            continue  # its call is reported
        for words in _of_node(node, assigned, allow):
            yield node.lineno, node.col_offset, words


def check_snippet(tree: ast.AST, allow: Sequence[str]) -> str:
    """The findings in TREE, in the order of the source, as one text; "" if
    there is none. ALLOW names the modules that may be imported."""
    found = sorted(set(_findings(tree, allow)))
    words = [f"{what} is not allowed (line {line})"
             for line, _, what in found[:MOST]]
    if len(found) > MOST:
        words.append(f"and {len(found) - MOST} more")
    return "; ".join(words)
