# expect: ok|error|memory|timeout timeout_ms=4000
# A description that is longer than the memory, prints, and fails.
class Odd:
    def __repr__(self):
        print("described")
        return "x" * (1 << 28)

    _repr_html_ = _repr_png_ = _repr_mimebundle_ = __repr__


Odd()
