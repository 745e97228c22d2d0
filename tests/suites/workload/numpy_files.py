# save, savez, savetxt, loadtxt, memmap, tofile.
import os

import numpy as np

a = np.arange(12.0).reshape(3, 4)
np.save("a.npy", a)
np.savez_compressed("a.npz", first=a, second=a * 2)
np.savetxt("a.txt", a, fmt="%.1f", delimiter=",")
a.tofile("a.raw")
shared = np.memmap("map.raw", dtype="int32", mode="w+", shape=(1000, 100))
shared[:] = np.arange(100)
shared.flush()
del shared
again = np.memmap("map.raw", dtype="int32", mode="r+", shape=(1000, 100))
again[0, 0] = 7
again.flush()
total = int(again.sum())
del again
with np.load("a.npz") as both:
    second = both["second"].sum()
loaded = np.load("a.npy", mmap_mode="r")
result = {
    "text": open("a.txt").read(),
    "loadtxt": np.allclose(np.loadtxt("a.txt", delimiter=","), a),
    "genfromtxt": float(np.genfromtxt("a.txt", delimiter=",").sum()),
    "second": float(second),
    "loaded": float(loaded[2, 3]),
    "raw": np.fromfile("a.raw").tolist() == a.ravel().tolist(),
    "map": total,
    "size": os.path.getsize("map.raw"),
}
del loaded
for name in os.listdir("."):
    os.remove(name)
result
# expected: {
#   "text": "0.0,1.0,2.0,3.0\n4.0,5.0,6.0,7.0\n8.0,9.0,10.0,11.0\n",
#   "loadtxt": true,
#   "genfromtxt": 66.0,
#   "second": 132.0,
#   "loaded": 11.0,
#   "raw": true,
#   "map": 4950007,
#   "size": 400000
# }
