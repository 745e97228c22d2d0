# seaborn's samples that plotly's package has, with seaborn's own columns.
# expect: success
# needs: seaborn plotly
# final: [[244, 7], ["Thur", "Fri", "Sat", "Sun"], 2.998,
#    ["sepal_length", "sepal_width", "petal_length", "petal_width", "species"],
#    50, "there is no network"]
# cut
import seaborn as sns

tips, iris = sns.load_dataset("tips"), sns.load_dataset("iris")
try:
    sns.load_dataset("titanic")
    told = ""
except OSError as exc:
    told = "there is no network" * ("there is no network" in str(exc))
[list(tips.shape), list(tips["day"].cat.categories),
 round(float(tips["tip"].mean()), 3), list(iris.columns),
 int((iris["species"] == "setosa").sum()), told]
