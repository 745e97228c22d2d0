# expect: failure
# error: ModuleNotFoundError
# told: ["bokeh", "matplotlib"]
# without: bokeh
# cut
from bokeh.plotting import figure, output_file, save

p = figure(title="simple line")
p.line([1, 2, 3], [4, 6, 5])
output_file("line.html")
save(p)
