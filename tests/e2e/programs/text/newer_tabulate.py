# Formats and widths of tabulate 0.9; the grid of one that it has is its own.
# expect: success
# needs: tabulate pandas
# stdout: "╭────────┬──────╮\n│ Item   │    n │\n├────────┼──────┤\n│ Oak    │
#     1.50 │\n│ chair, │      │\n│ light  │      │\n├────────┼──────┤\n│
#     Desk   │ -    │\n╰────────┴──────╯\n+------------------+-----+\n| Item
#     of          |   n |\n|
#     list             |     |\n+==================+=====+\n| Oak chair, light |
#     1.5 |\n|
#     Desk             |     |\n+------------------+-----+\n┏━━━━━┳━━━━━┓\n┃   a
#     ┃ b   ┃\n┣━━━━━╋━━━━━┫\n┃   1 ┃ x y ┃\n┃     ┃
#     z   ┃\n┗━━━━━┻━━━━━┛\n+----+-----+\n|    |   k |\n+====+=====+\n|  0 |   1
#     |\n+----+-----+\nTrue\n"
# cut
import pandas as pd
from tabulate import tabulate, tabulate_formats

rows = [["Oak chair, light", 1.5], ["Desk", None]]
print(tabulate(rows, headers=["Item", "n"], tablefmt="rounded_grid",
               floatfmt=".2f", missingval="-", maxcolwidths=[8, None]))
print(tabulate(rows, headers=["Item of list", "n"], tablefmt="outline",
               maxheadercolwidths=7))
print(pd.DataFrame({"a": [1], "b": ["x y z"]}).to_markdown(
    index=False, tablefmt="heavy_outline", maxcolwidths=3))
print(tabulate({"k": [1]}, headers="keys", tablefmt="grid", showindex=True))
print("mixed_grid" in tabulate_formats)
