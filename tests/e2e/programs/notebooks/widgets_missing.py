# expect: failure
# error: ModuleNotFoundError
# told: ["ipywidgets", "with fixed values"]
# without: ipywidgets
# cut
import ipywidgets as widgets
from IPython.display import display

slider = widgets.IntSlider(value=5, min=0, max=10)
display(slider)
