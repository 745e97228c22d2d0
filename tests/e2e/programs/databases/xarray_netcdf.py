# expect: success
# needs: xarray netCDF4
# stdout: "17.5 [1.0, 4.0]\n{'time': 12, 'city': 3}\n"
# files-kinds: {"climate.nc": "hdf5"}
# stderr-like: .*
# cut
import numpy as np
import pandas as pd
import xarray as xr

times = pd.date_range("2024-01-01", periods=12)
da = xr.DataArray(np.arange(36.0).reshape(12, 3), dims=("time", "city"),
                  coords={"time": times, "city": ["a", "b", "c"]},
                  name="temp")
da.to_dataset().to_netcdf("/mnt/data/climate.nc")
with xr.open_dataset("/mnt/data/climate.nc") as ds:
    print(float(ds.temp.mean()), ds.temp.sel(city="b").values[:2].tolist())
    print(dict(ds.sizes))
