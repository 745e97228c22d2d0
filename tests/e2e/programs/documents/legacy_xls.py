# expect: success
# needs: xlwt xlrd pandas
# stdout: "[{'k': 'a', 'v': 1.0}, {'k': 'b', 'v': 2.5}]\n"
# files-kinds: {"old.xls": "ole"}
# cut
import pandas as pd
import xlwt

book = xlwt.Workbook()
sheet = book.add_sheet('Sheet1')
for r, row in enumerate([['k', 'v'], ['a', 1], ['b', 2.5]]):
    for c, value in enumerate(row):
        sheet.write(r, c, value)
book.save('/mnt/data/old.xls')
df = pd.read_excel('/mnt/data/old.xls', engine='xlrd')
print(df.to_dict('records'))
