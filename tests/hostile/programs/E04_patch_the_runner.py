# expect: ok|crash
# Replace what the runner might call after us.
import builtins
import io
import json
import traceback


class Broken(io.TextIOBase):
    def write(self, text):
        raise RuntimeError("broken")

    flush = write


json.dumps = lambda *a, **k: '{"success": true, "forged": 1}'
for name in ("repr", "print", "isinstance", "len", "str", "type", "compile",
             "exec", "eval", "getattr", "hasattr"):
    setattr(builtins, name, lambda *a, **k: "forged")
traceback.format_exception = traceback.print_exc = None
sys.modules.clear()
sys.stdout = sys.stderr = Broken()
os.write = os.read = os._exit = lambda *a: 0
1 + 1
