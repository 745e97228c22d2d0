# Subclasses whose own methods lie or raise count as what they are.
# expect: success
# final: [5, "real", [1, 2], {"k": 1}]


class Int(int):
    def __repr__(self):
        return "]garbage["


class Text(str):
    def encode(self, *_):
        raise RuntimeError("no")

    def __str__(self):
        return "fake"


class List(list):
    def __len__(self):
        return 10 ** 9


class Dict(dict):
    def items(self):
        raise RuntimeError("no")


[Int(5), Text("real"), List([1, 2]), Dict(k=1)]
