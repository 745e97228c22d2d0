# expect: success
# needs: h5py
# stdout: "['run1', 'run1/signal'] mV [ 0. 25. 50. 75.]\n"
# files-kinds: {"exp.h5": "hdf5"}
# cut
import h5py
import numpy as np

with h5py.File('/mnt/data/exp.h5', 'w') as f:
    g = f.create_group('run1')
    d = g.create_dataset('signal', data=np.arange(100.0), chunks=True,
                         compression='gzip')
    d.attrs['unit'] = 'mV'
with h5py.File('/mnt/data/exp.h5', 'r') as f:
    names = []
    f.visititems(lambda name, obj: names.append(name))
    print(names, f['run1/signal'].attrs['unit'], f['run1/signal'][::25])
