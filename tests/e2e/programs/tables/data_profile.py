# expect: success
# needs: pandas numpy
# stdout-has: ["Shape: (200, 4)", "non-null", "city", "memory usage"]
# stderr-like: .*
# cut
import pandas as pd
import numpy as np

np.random.seed(42)
df = pd.DataFrame({
    'id': np.arange(200),
    'income': np.random.lognormal(10, 1, 200),
    'city': np.random.choice(['Paris', 'Rome', 'Oslo'], 200),
    'joined': pd.date_range('2020-01-01', periods=200, freq='W'),
})
df.loc[::17, 'income'] = np.nan
print("Shape:", df.shape)
df.info()
print(df.describe(include='all'))
q1, q3 = df['income'].quantile([.25, .75])
outliers = df[(df['income'] > q3 + 1.5 * (q3 - q1))]
print(f"Outliers: {len(outliers)}")
