# Records of two systems are matched by name.
# expect: success
# stdout: "ACME corp: Acme Corporation, 90.00, Ann\nglobex: Globex Inc.,
#     90.00, Bob\nUmbrela Health Ltd: Umbrella Health, 84.85, Dee\nStark
#     Industries: no match\n('Acme Corporation', 46.15384615384615,
#     0)\n('Umbrella Health', 40.0, 3)\n(4, 4) float32 [0, 1, 3,
#     2]\n96.55172413793103 100.0 100.0\n"
# cut
import pandas as pd
from rapidfuzz import fuzz, process, utils

crm = pd.DataFrame({"name": ["Acme Corporation", "Globex Inc.",
                             "Initech LLC", "Umbrella Health", None],
                    "owner": ["Ann", "Bob", "Cid", "Dee", "Eve"]})
bills = ["ACME corp", "globex", "Umbrela Health Ltd", "Stark Industries"]
for bill in bills:
    match = process.extractOne(bill, crm["name"], scorer=fuzz.WRatio,
                               processor=utils.default_process,
                               score_cutoff=80)
    if match is None:
        print(f"{bill}: no match")
        continue
    name, score, row = match
    print(f"{bill}: {name}, {score:.2f}, {crm.loc[row, 'owner']}")

names = [name for name in crm["name"] if name]
for found in process.extract("Acme Helth", names, limit=2,
                             scorer=fuzz.token_sort_ratio):
    print(found)
table = process.cdist(bills, names, scorer=fuzz.ratio,
                      processor=str.lower, workers=-1)
print(table.shape, table.dtype, table.argmax(axis=1).tolist())
print(fuzz.ratio("this is a test", "this is a test!"),
      fuzz.partial_ratio("this is a test", "this is a test!"),
      fuzz.token_set_ratio("fuzzy was a bear", "fuzzy fuzzy was a bear"))
