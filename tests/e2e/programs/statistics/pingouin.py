# expect: failure
# error: ModuleNotFoundError
# told: ["pingouin"]
# without: pingouin
# cut
import pingouin as pg
print(pg.ttest([1, 2, 3], [2, 3, 4]))
