# A workbook's defined names are a dictionary, as of openpyxl 3.1.
# expect: success
# needs: openpyxl
# stdout: "['Cost', 'Rate'] Sheet!$B$1\n['Cost', 'Rate'] Sheet!$B$3 True\n['Cost']
#     [('Cost', 'Sheet!$B$3')] Sheet!$1:$1\nKey must be the same as the name\n"
# cut
from openpyxl import Workbook, load_workbook
from openpyxl.workbook.defined_name import DefinedName

book = Workbook()
book.active.append(["Cost", 3])
book.active.print_title_rows = "1:1"
book.defined_names["Cost"] = DefinedName("Cost", attr_text="Sheet!$B$1")
book.defined_names.add(DefinedName("Rate", attr_text="Sheet!$B$2"))
print(list(book.defined_names), book.defined_names["Cost"].attr_text)
book.defined_names["Cost"] = DefinedName("Cost", attr_text="Sheet!$B$3")
book.save("/tmp/names.xlsx")
book = load_workbook("/tmp/names.xlsx")
names = book.defined_names
print(list(names.keys()), names["Cost"].attr_text, "Rate" in names)
del names["Rate"]
book.save("/tmp/names.xlsx")
book = load_workbook("/tmp/names.xlsx")
print([one.name for one in book.defined_names.values()],
      [(name, one.attr_text) for name, one in book.defined_names.items()],
      book.active.print_title_rows and "Sheet!$1:$1")
try:
    names["x"] = DefinedName("y", attr_text="Sheet!$B$1")
except ValueError as exc:
    print(exc)
