# Type parameters and type statements, and the line of a later error.
# expect: failure
# error: ZeroDivisionError
# stdout: "[3.0, 6.0] Stack 2 5\n"
# line: 22
# cut
T = 5
type Vector = list[float]
type Tree = dict[str, Tree]
type Pair[A, B] = tuple[A, B]


def scale[T](v: list[T], k: float) -> list[T]:
    return [x * k for x in v]


class Stack[T]:
    def __init__(self, items: list[T]) -> None:
        self.items = items

    def map[U](
            self, function) -> "Stack[U]":
        return Stack([function(item) for item in self.items])


stack = Stack[int]([1, 2]).map(str)
print(scale([1.0, 2.0], 3), type(stack).__name__, len(stack.items), T)
1 / 0
