# expect: success
# files-in: {"survey.csv": "Timestamp,Age,Q1,Q2,Comment\n2024/05/01 9:12:01 AM GMT+2,18-24,Agree,5,\"Great, thanks\"\n2024/05/01 9:15:44 AM GMT+2,25-34,Strongly agree,4,\n2024/05/02 1:02:03 PM GMT+2,18-24,Disagree,2,meh\n"}
# stdout-has: ["18-24", "Strongly agree", "mean"]
# stderr-like: .*
# needs: pandas
# cut
import pandas as pd
df = pd.read_csv("/mnt/data/survey.csv")
df["Timestamp"] = pd.to_datetime(df["Timestamp"].str.replace(r"GMT.*", "", regex=True).str.strip())
order = ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"]
df["Q1"] = pd.Categorical(df["Q1"], categories=order, ordered=True)
print(pd.crosstab(df["Age"], df["Q1"], dropna=False))
print(df.groupby("Age", observed=True)["Q2"].agg(["mean", "count"]))
print(df.head().to_string())
