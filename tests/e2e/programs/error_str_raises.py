# expect: failure
# error: Silent
# line: 10


class Silent(Exception):
    def __str__(self):
        raise ValueError("no")

raise Silent()
