# A request that does not ask for rich values gets none, and none count as cut;
# display() prints, as it does outside of notebooks.
# expect: success
# stdout: "{'a': 1}\nrich\n"
# final: "rich"


class Rich:
    def __repr__(self):
        return "rich"

    def _repr_html_(self):
        print("not called")
        return "<b>rich</b>"


display({"a": 1})
for i in range(1000):
    display(Rich()) if i == 0 else None
Rich()
