# expect: success
# final-like: Bad|ValueError


class Bad:
    def __repr__(self):
        raise ValueError("no text for you")


Bad()
