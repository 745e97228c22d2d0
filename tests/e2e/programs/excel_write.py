# expect: success
# needs: openpyxl pandas
# check: check_workbook
import pandas as pd
pd.DataFrame({"x": [2, 3], "square": [4, 9]}).to_excel("report.xlsx",
                                                      index=False)
