# expect: success
# final: "<Rich>"
# results: [["text/html", "text/markdown", "text/plain"]]


class Rich:
    def __repr__(self):
        return "<Rich>"

    def _repr_html_(self):
        return "<b>rich</b>"

    def _repr_markdown_(self):
        return "**rich**"


Rich()
