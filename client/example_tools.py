#!/usr/bin/python3
"""Tool calls of a language model, in the form of OpenAI's and compatible
chats: Python that the model writes, and functions that it chooses. The same
environment as example.py; no model is asked here.

    client/example_tools.py
"""

import json
from typing import Any, Dict, List

from terrarium import Session, Terrarium, ToolSandbox

# The tools as the chat's request has them: `tools=TOOLS`.
TOOLS: List[Dict[str, Any]] = [
    {"type": "function", "function": {
        "name": "run_python",
        "description": "Run Python. Variables and files stay from call to "
                       "call. There is no network.",
        "parameters": {
            "type": "object", "required": ["code"],
            "properties": {"code": {"type": "string"}}}}},
    {"type": "function", "function": {
        "name": "area", "description": "The area of a rectangle.",
        "parameters": {
            "type": "object", "required": ["width", "height"],
            "properties": {"width": {"type": "number"},
                           "height": {"type": "number"}}}}}]

UNITS = {"m": 1.0, "cm": 0.01}


def area(width: float, height: float, unit: str = "m") -> float:
    return width * height * UNITS[unit] ** 2


FUNCTIONS = {"area": area}
TEXT_MOST = 10000


def run_python(session: Session, code: str) -> str:
    """The text that the model reads."""
    result = session.run(code, timeout=10)
    parts = [result.stdout, result.stderr]
    if result.has_value:
        parts.append(json.dumps(result.value))
    if result.failure:
        parts.append(result.failure.message)
    parts += [f"[file {name}: {len(data)} bytes]"
              for name, data in result.files.items()]
    text = "\n".join(part.rstrip("\n") for part in parts if part)
    return text[:TEXT_MOST] or "[no output]"


def answer(session: Session, tools: ToolSandbox,
           call: Dict[str, Any]) -> Dict[str, Any]:
    """The message of role `tool` for one of `message.tool_calls`. Whatever a
    model sends, the chat gets an answer."""
    name = call["function"]["name"]
    try:
        given = json.loads(call["function"]["arguments"])
        if name == "run_python":
            text = run_python(session, given["code"])
        else:
            text = json.dumps(tools.execute(name, FUNCTIONS[name], given))
    except (ValueError, KeyError, TypeError, RuntimeError) as error:
        text = f"{type(error).__name__}: {error}"
    return {"role": "tool", "tool_call_id": call["id"], "content": text}


def call_of(id: str, name: str, arguments: str) -> Dict[str, Any]:
    """As it stands in the model's message."""
    return {"id": id, "type": "function",
            "function": {"name": name, "arguments": arguments}}


if __name__ == "__main__":
    client = Terrarium.from_environment()
    with client.session() as session:
        tools = ToolSandbox(session, timeout=10)
        for call in (
                call_of("1", "run_python", '{"code": "x = 20\\nprint(x)"}'),
                call_of("2", "run_python", '{"code": "x + 1"}'),
                call_of("3", "area", '{"width": 2, "height": 3}'),
                call_of("4", "area", '{"width": 2, "height": [1]}'),
                call_of("5", "run_python", '{"code": ')):
            print(json.dumps(answer(session, tools, call)))
