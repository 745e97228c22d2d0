# expect: success
# final: "<IPython.core.display.HTML object>"
# results: ["text/html"]
from IPython.display import HTML
HTML("<table><tr><td>1</td></tr></table>")
