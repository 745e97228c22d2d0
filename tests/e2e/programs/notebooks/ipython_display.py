# expect: success
# results: ["text/html", "text/markdown", "text/latex", "image/svg+xml",
#    "application/json", "image/png", "text/html", "text/html", "text/plain",
#    "text/plain"]
# final: [true, "8.31.0", true]
import base64
from IPython.core.display import display as again
from IPython.display import (HTML, JSON, SVG, Audio, IFrame, Image, Latex,
                             Markdown, clear_output, display)
from IPython import get_ipython
import IPython

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60"
    "e6kgAAAABJRU5ErkJggg==")
get_ipython().run_line_magic("matplotlib", "inline")
display(HTML("<b>x</b>"), Markdown("**m**"), Latex("$x$"))
display(SVG('<svg xmlns="http://www.w3.org/2000/svg"/>'))
display(JSON({"a": 1}))
open("/tmp/a.png", "wb").write(PNG)
display(Image(filename="/tmp/a.png"))
display(IFrame("https://example.org", 100, 100))
display(Audio(b"RIFF", rate=8000))
handle = display("first", display_id=True)
handle.update("second")
clear_output(wait=True)
[again is display, IPython.__version__, "numpy" not in str(get_ipython())]
