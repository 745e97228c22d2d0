# expect: failure
# error: TooOdd
# line: 10
# message-has: "TooOdd: got 3"


class TooOdd(Exception):
    pass

raise TooOdd("got 3")
