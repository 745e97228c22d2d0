# expect: failure
# needs: pandas
# error: URLError
# told: "network"
# cut
import pandas as pd

url = "https://raw.githubusercontent.com/mwaskom/seaborn-data/master/tips.csv"
tips = pd.read_csv(url)
print(tips.head())
