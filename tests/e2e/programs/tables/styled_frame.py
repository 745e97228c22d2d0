# expect: success
# needs: pandas jinja2
# results: ["text/html"]
# final-like: .*
# cut
import pandas as pd

df = pd.DataFrame({"product": ["A", "B", "C"], "margin": [0.12, -0.03, 0.4]})
(df.style
   .format({"margin": "{:.1%}"})
   .background_gradient(cmap="RdYlGn", subset=["margin"])
   .set_caption("Margins"))
