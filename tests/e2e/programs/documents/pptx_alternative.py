# expect: failure
# error: ModuleNotFoundError
# told: ["pptx"]
# without: pptx lxml
# cut
import pandas as pd
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
prs = Presentation(); print(prs)
