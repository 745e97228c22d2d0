# per_subplot_kw= of matplotlib 3.7: each part of a mosaic has words of its own.
# expect: success
# needs: matplotlib
# final: [["polar", "rectilinear", "rectilinear"], ["polar", "polar"],
#    ["inner", "rectilinear"], ["log", "linear"]]
# cut
import matplotlib.pyplot as plt

fig, parts = plt.subplot_mosaic(
    [["round", "top"], ["round", "low"]], figsize=(6, 4), width_ratios=[2, 1],
    per_subplot_kw={"round": {"projection": "polar"},
                    ("top", "low"): {"xscale": "log"}})
letters = plt.figure().subplot_mosaic(
    "AB;CC", subplot_kw={"title": "outer"},
    per_subplot_kw={"AB": {"projection": "polar"}, "C": {"title": "inner"}})
_, plain = plt.subplot_mosaic("XY", sharex=False, per_subplot_kw={
    "X": {"yscale": "log"}})
plt.close("all")
[[parts[name].name for name in ("round", "top", "low")],
 [letters["A"].name, letters["B"].name],
 [letters["C"].get_title(), letters["C"].name],
 [plain["X"].get_yscale(), plain["Y"].get_yscale()]]
