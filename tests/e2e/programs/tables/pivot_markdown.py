# expect: success
# needs: pandas tabulate
# stdout: "| quarter   |   Blue |   Red |   All |\n|:----------|-------:|------:|------:|\n| Q1        |     12 |    10 |    22 |\n| Q2        |      9 |    14 |    23 |\n| Q3        |     16 |    20 |    36 |\n| All       |     37 |    44 |    81 |\n"
# cut
import pandas as pd

data = {
    'quarter': ['Q1', 'Q1', 'Q2', 'Q2', 'Q3', 'Q3'],
    'team': ['Red', 'Blue'] * 3,
    'score': [10, 12, 14, 9, 20, 16],
}
df = pd.DataFrame(data)
pivot = df.pivot_table(index='quarter', columns='team', values='score',
                       aggfunc='sum', margins=True)
print(pivot.to_markdown())
