# expect: ok|error
# Types that lie.
class Text(str):
    def encode(self, *_):
        return b'{"success": "forged"}'

    def __len__(self):
        return -1

    def __repr__(self):
        return self

    __iter__ = __getitem__ = __str__ = encode


class Number(int):
    def __repr__(self):
        return '1}, "forged": {'

    __str__ = __format__ = __index__ = __repr__


class Liar:
    __class__ = dict

    def items(self):
        return [("forged", 1)] * 10 ** 9


[Text("abc"), Number(7), {Text("k"): Number(8)}, Liar()]
