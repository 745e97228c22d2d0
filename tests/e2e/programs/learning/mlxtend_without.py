# As lifelines_without, where the part says nothing by itself.
# needs: pandas
# without: mlxtend.plotting
# expect: failure
# error: ImportError
# told: ["here is the everyday part of the library, without hmine. It has:
#    apriori, association_rules, fpgrowth, fpmax."]
# line: 9
from mlxtend.frequent_patterns import apriori, hmine
