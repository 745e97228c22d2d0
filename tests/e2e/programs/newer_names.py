# Names of newer libraries and of a newer Python.
# expect: success
# needs: numpy xlsxwriter geopandas openpyxl
# final: [[[1, 2], [2, 1]], 11.0, true, ["a.txt"], true]
# files-kinds: {"t.xlsx": "zip"}
# stderr-like: .*
# cut
import os
import tarfile

import geopandas
import numpy as np
import openpyxl
import xlsxwriter
from shapely.geometry import box

found = np.unique_counts(np.array([1, 1, 2]))
shapes = geopandas.GeoSeries([box(0, 0, 1, 1), box(1, 0, 2, 1)])
with xlsxwriter.Workbook("t.xlsx") as book:
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["a rather long heading of a column", 12345])
    sheet.autofit()
wide = openpyxl.load_workbook("t.xlsx").active.column_dimensions
os.chdir("/tmp")
open("a.txt", "w").close()
with tarfile.open("a.tar", "w") as tar:
    tar.add("a.txt")
with tarfile.open("a.tar") as tar:
    tar.extractall("out", filter="data")
[[found.values.tolist(), found.counts.tolist()],
 float(np.vecdot(np.array([1, 2]), np.array([3, 4]))),
 wide["A"].width > 30 > 5 < wide["B"].width < 15, os.listdir("out"),
 abs(shapes.union_all().area - 2) < 1e-9]
