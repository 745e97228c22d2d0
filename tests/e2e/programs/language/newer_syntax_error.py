# A mistake in a line of newer syntax is told as such.
# expect: failure
# error: SyntaxError
# line: 2
# message-has: ["expected ':'"]
# message-lacks: ["Hint"]
# cut
d = {"a": 1}
def first[T](x: T) -> f'{d['a']}'
    return x
