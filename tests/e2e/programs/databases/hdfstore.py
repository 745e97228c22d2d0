# expect: success
# needs: tables pandas
# stdout: "['y', 'z']\n"
# files-kinds: {"store.h5": "hdf5"}
# stderr-like: .*
# cut
import pandas as pd

df = pd.DataFrame({'a': [1, 2, 3], 'b': list('xyz')})
df.to_hdf('/mnt/data/store.h5', key='df', mode='w', format='table',
          data_columns=True)
print(pd.read_hdf('/mnt/data/store.h5', 'df', where='a > 1')['b'].tolist())
