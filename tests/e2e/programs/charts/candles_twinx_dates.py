# expect: success
# needs: matplotlib pandas
# results: ["image/png"]
# cut
import matplotlib.pyplot as plt
import matplotlib.dates as mdates
import pandas as pd
import numpy as np

dates = pd.date_range('2024-01-01', periods=30, freq='B')
close = 100 + np.cumsum(np.sin(np.arange(30)))
fig, ax1 = plt.subplots(figsize=(10, 5))
ax1.plot(dates, close, color='tab:blue')
ax1.xaxis.set_major_formatter(mdates.DateFormatter('%b %d'))
ax2 = ax1.twinx()
ax2.bar(dates, np.abs(np.cos(np.arange(30))), alpha=0.3, color='gray')
fig.autofmt_xdate()
ax1.annotate('peak', xy=(dates[int(close.argmax())], close.max()),
             xytext=(10, 10), textcoords='offset points',
             arrowprops=dict(arrowstyle='->'))
plt.show()
