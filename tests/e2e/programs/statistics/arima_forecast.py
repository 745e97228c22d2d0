# expect: success
# needs: statsmodels pandas
# stdout-like: Forecast: \d+\.\d, \d+\.\d, \d+\.\d
# stderr-like: .*
# cut
import numpy as np
import pandas as pd
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.seasonal import seasonal_decompose
from statsmodels.tsa.stattools import adfuller

idx = pd.date_range('2020-01-01', periods=48, freq='MS')
y = pd.Series(100 + np.arange(48) + 10 * np.sin(np.arange(48) * np.pi / 6),
              index=idx)
seasonal_decompose(y, model='additive')
print('ADF p-value > 0.05:', bool(adfuller(y)[1] > 0.05))
fit = ARIMA(y, order=(1, 1, 1)).fit()
print('Forecast:', ', '.join(f'{v:.1f}' for v in fit.forecast(3)))
