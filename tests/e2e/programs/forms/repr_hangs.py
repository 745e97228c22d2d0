# expect: success
# timeout_ms: 4000
# forms: ["html", "markdown"]
# results: ["text/plain"]
# stdout: "after\n"
# warnings: ["_repr_html_ of Slow took too long"]
class Slow:
    def __repr__(self):
        return "slow"

    def _repr_html_(self):
        while True:
            pass


display(Slow())
print("after")
