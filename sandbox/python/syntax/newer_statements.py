"""newer_statements - statements of newer Pythons, for an older one.

  3.12 (PEP 695)  def f[T](x: T), class C[T], type X[T] = ...
  3.14 (PEP 758)  except A, B:

The brackets are replaced by blanks, and the tree gets what they stand for: an
assignment of TypeVars before the statement, and a base Generic. A TypeVar's
bound is not looked at, because nothing does at run time. The value of a type
statement is that of its expression. One that names itself is typing.Any.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .newer_strings import tokens

import ast
import re
import sys
from typing import Any, NamedTuple, Optional

_DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+def|def|class)[ \t]+\w+[ \t]*"
                      r"(?=\[)", re.M).finditer
_TYPE = re.compile(r"^([ \t]*)(type[ \t]+)(\w+)[ \t]*(?=\[|=[^=])",
                   re.M).finditer
# An exception's class begins with a capital letter, or is a module's: Python 2
# has a variable behind the comma.
_CLASS = r"(?:\w+\.)*[A-Z]\w*|\w+(?:\.\w+)+"
_EXCEPT = re.compile(rf"^[ \t]*except\*?[ \t]+((?:{_CLASS})(?:[ \t]*,[ \t]*"
                     rf"(?:{_CLASS}))+),?[ \t]*:", re.M).finditer
_PARAMETER = re.compile(r"\s*(\*{0,2})\s*([^\W\d]\w*)\s*(?:[:=].*)?",
                        re.S).fullmatch
_EQUALS = re.compile(r"[ \t]*=(?!=)").match
_BRACKET = re.compile(r"[][(){},]").finditer
_KINDS = {"": "TypeVar", "*": "TypeVarTuple", "**": "ParamSpec"}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Mark(NamedTuple):
    """A statement with parameters: NAMES, each with its kind."""

    names: list[tuple[str, str]]
    alias: bool  # a type statement


def _bare(text: str) -> str:
    """TEXT with each comment and string as long as before, but empty."""
    parts, last = [], 0
    for begin, end, _ in tokens(text):
        parts += [text[last:begin], re.sub(r"[^\n]", "_", text[begin:end])
                  if text[begin] != "#" else " " * (end - begin)]
        last = end
    return "".join(parts) + text[last:]


def _parameters(bare: str, at: int) -> Optional[tuple[
        int, list[tuple[str, str]]]]:
    """Where the brackets that begin at AT end, and the names in them."""
    level, names, last = 0, [], at + 1
    for found in _BRACKET(bare, at):
        level += {"]": -1, ")": -1, "}": -1, ",": 0}.get(found[0], 1)
        if level == 0 or level == 1 and found[0] == ",":
            one = _PARAMETER(bare[last:found.start()])
            if one:
                names.append((one[2], _KINDS[one[1]]))
            elif bare[last:found.start()].strip():
                return None
            last = found.end()
        if level == 0:
            return found.end(), names
    return None


def _blank(text: str) -> str:
    """Blanks for TEXT. Lines are joined as they were by brackets."""
    return "".join("\\\n" if char == "\n" else " " for char in text)


def older_statements(text: str) -> tuple[str, dict[int, Mark]]:
    """TEXT for an older Python, and its statements with parameters, by
    line."""
    bare = _bare(text)
    changes = [(*found.span(1), f"({found[1]})") for found in _EXCEPT(bare)]
    marks: dict[int, Mark] = {}
    if sys.version_info < (3, 12):
        _take_parameters(bare, changes, marks)
    for begin, end, new in sorted(changes, reverse=True):
        text = text[:begin] + new + text[end:]
    return text, marks


def _take_parameters(bare: str, changes: list[tuple[int, int, str]],
                     marks: dict[int, Mark]) -> None:
    for found in _DEFINED(bare):
        got = _parameters(bare, found.end())
        if got:
            marks[_line(bare, found.end())] = Mark(got[1], False)
            changes.append((found.end(), got[0],
                            _blank(bare[found.end():got[0]])))
    for found in _TYPE(bare):
        got = _parameters(bare, found.end()) \
            if bare[found.end()] == "[" else (found.end(), [])
        if got and _EQUALS(bare, got[0]):
            marks[_line(bare, found.end())] = Mark(got[1], True)
            changes += [(found.start(2), found.end(2), ""),
                        (found.end(), got[0],
                         _blank(bare[found.start(2):found.end(2)] +
                                bare[found.end():got[0]]))]


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


# -- the tree

def _typing(name: str) -> ast.expr:
    """An expression for typing's NAME that needs no import."""
    call = ast.Call(ast.Name("__import__", ast.Load()),
                    [ast.Constant("typing")], [])
    return ast.Attribute(call, name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


class _Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node


def _hidden(node: ast.AST, names: list[tuple[str, str]]) -> dict[str, str]:
    """Names for the parameters that hide none of the program's around NODE,
    which is renamed to have them. One that it binds itself keeps its name."""
    own = {one.id for one in ast.walk(node) if type(one) is ast.Name and
           type(one.ctx) is not ast.Load}
    own |= {one.arg for one in ast.walk(node) if type(one) is ast.arg}
    hidden = {name: name if name in own else f".{name}" for name, _ in names}
    _Rename(hidden).visit(node)
    return hidden


def _before(node: Any, mark: Mark) -> list[ast.stmt]:
    """The statements that stand for NODE and its parameters."""
    hidden = _hidden(node, mark.names)
    found = [_assign(hidden[name], ast.Call(_typing(kind),
                                            [ast.Constant(name)], []))
             for name, kind in mark.names]
    if type(node) is ast.ClassDef and mark.names:
        given = [ast.Name(hidden[name], ast.Load()) if kind != "TypeVarTuple"
                 else ast.Starred(ast.Name(hidden[name], ast.Load()),
                                  ast.Load()) for name, kind in mark.names]
        node.bases.append(ast.Subscript(
            _typing("Generic"), ast.Tuple(given, ast.Load()), ast.Load()))
    if not mark.alias:
        return [*found, node]
    any_of = _assign(node.targets[0].id, _typing("Any"))
    caught = ast.ExceptHandler(ast.Name("NameError", ast.Load()), None,
                               [any_of])
    return [*found, ast.Try([node], [caught], [], [])]


def _marked(node: ast.AST, marks: dict[int, Mark]) -> Optional[Mark]:
    mark = marks.get(getattr(node, "lineno", 0))
    kinds = (ast.Assign,) if mark and mark.alias else _DEFINITIONS
    return mark if type(node) in kinds else None


def complete(tree: ast.Module, marks: dict[int, Mark]) -> None:
    """Give the tree of a text of older_statements() the parameters."""
    for node in list(ast.walk(tree)):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if type(body) is not list:
                continue
            body[:] = [new for old in body for new in (
                _placed(old, marks) if _marked(old, marks) else [old])]


def _placed(old: Any, marks: dict[int, Mark]) -> list[ast.stmt]:
    """What stands for a marked statement, with its place."""
    found = _before(old, marks[old.lineno])
    for new in found:
        for node in ast.walk(new):
            if "lineno" in node._attributes and \
                    getattr(node, "lineno", None) is None:
                ast.copy_location(node, old)
    return found
