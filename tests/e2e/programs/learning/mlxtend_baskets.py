# Baskets by mlxtend: frequent sets of items and their rules.
# expect: success
# needs: sklearn
# without: mlxtend
# stdout:
#     "['bread', 'butter', 'cereal', 'jam', 'milk'] bool (5, 5) ['bread',
#     'butter', 'jam']\n[(0.8, ['bread']), (0.6, ['butter']), (0.6, ['milk']),
#     (0.6, ['bread', 'butter']), (0.4, ['bread', 'milk'])] ['support',
#     'itemsets']\nTrue [[0, 1], [0, 4]] [frozenset({0}), frozenset({1}),
#     frozenset({4})]\n['antecedents', 'consequents', 'antecedent support',
#     'consequent support', 'support', 'confidence', 'lift',
#     'representativity', 'leverage', 'conviction', 'zhangs_metric',
#     'jaccard', 'certainty', 'kulczynski']\n[('butter', 'bread', 1.25, 0.12,
#     inf, 0.5, 0.75), ('bread', 'butter', 1.25, 0.12, 1.6, 1.0,
#     0.75)]\n`min_support` must be a positive number within the interval `(0,
#     1]`. Got 0.\nThe allowed values for a DataFrame are True, False, 0, 1.
#     Found value 3\nImportError\nTrue\n"
# cut
import pandas as pd
from mlxtend.frequent_patterns import (apriori, association_rules, fpgrowth,
                                       fpmax)
from mlxtend.preprocessing import TransactionEncoder

baskets = [["bread", "butter", "jam"], ["bread", "butter"],
           ["bread", "milk"], ["cereal", "milk"],
           ["bread", "butter", "milk"]]
encoder = TransactionEncoder()
found = encoder.fit(baskets).transform(baskets)
print(encoder.columns_, found.dtype, found.shape,
      encoder.inverse_transform(found)[0])
table = pd.DataFrame(found, columns=encoder.columns_)
often = apriori(table, min_support=0.4, use_colnames=True)
print([(share, sorted(items)) for share, items in
       often.to_numpy().tolist()], list(often.columns))
print(len(fpgrowth(table, 0.4)) == len(often),
      [sorted(one) for one in fpmax(table, 0.4)["itemsets"]],
      apriori(table.astype(int), 0.6, max_len=1)["itemsets"].tolist())
rules = association_rules(often, metric="lift", min_threshold=1)
rules = rules.sort_values("confidence", ascending=False)
print(list(rules.columns))
print([(*one["antecedents"], *one["consequents"], round(one["lift"], 3),
        round(one["leverage"], 3), round(one["conviction"], 3),
        round(one["zhangs_metric"], 3), round(one["jaccard"], 3))
       for _, one in rules.iterrows()])
for call in (lambda: apriori(table, 0), lambda: apriori(table * 3)):
    try:
        call()
    except ValueError as error:
        print(error)
try:
    from mlxtend.preprocessing import MeanCenterer
except ImportError as error:
    print("ImportError")
try:
    import mlxtend.plotting
except ModuleNotFoundError as error:
    print("Hint" in str(error) or str(error))
