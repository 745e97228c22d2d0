# needs: h5py tables pandas
# expect: success
# final: [["g", "g/a"], [[0, 1, 2], [3, 4, 5]], 15, [1.5, 2.5], [1, 2]]
# HDF5 locks its files, and visits their objects by callbacks.
import os
import tempfile

import h5py
import numpy
import pandas
import tables

os.chdir(tempfile.mkdtemp())
names = []
with h5py.File("a.h5", "w") as file:
    file.create_dataset("g/a", data=numpy.arange(6).reshape(2, 3),
                        compression="gzip")
with h5py.File("a.h5", "r+") as file:
    file.attrs["unit"] = "m"
with h5py.File("a.h5", "r", libver="latest", swmr=True) as file:
    file.visititems(lambda name, item: names.append(name))
    data = file["g/a"][...]
with tables.open_file("b.h5", "w") as file:
    table = file.create_table("/", "t", {"x": tables.Float64Col()})
    for value in (1.5, 2.5):
        table.row["x"] = value
        table.row.append()
    table.flush()
    column = table.col("x").tolist()
pandas.DataFrame({"n": [1, 2]}).to_hdf("c.h5", key="n", mode="w")
[names, data.tolist(), int(data.sum()), column,
 pandas.read_hdf("c.h5")["n"].tolist()]
