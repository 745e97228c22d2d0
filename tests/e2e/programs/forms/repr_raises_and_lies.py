# expect: success
# final: "bad"
# forms: ["html", "png", "markdown", "other"]
# results: [["text/markdown", "text/plain"]]
# warnings: ["_repr_mimebundle_ of Bad raised ZeroDivisionError",
#    "text/html of Bad was left out: it is not UTF-8",
#    "image/png of Bad was left out: it has another format"]
class Bad:
    def __repr__(self):
        return "bad"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return 1 / 0

    def _repr_html_(self):
        return b"\xff"

    def _repr_png_(self):
        return b"<html>"

    def _repr_markdown_(self):
        return "**good**"


Bad()
