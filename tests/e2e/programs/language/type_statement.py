# expect: failure
# error: SyntaxError
# told: ["Python 3.11", "type statements"]
# without: python:3.12
# cut
type Vector = list[float]

def scale[T](v: T, k: float) -> T:
    return [x * k for x in v]

print(scale([1.0, 2.0], 3))
