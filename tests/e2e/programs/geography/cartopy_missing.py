# expect: failure
# error: ModuleNotFoundError
# told: ["cartopy is not installed", "matplotlib"]
# without: cartopy
# cut
import cartopy.crs as ccrs
import matplotlib.pyplot as plt

ax = plt.axes(projection=ccrs.PlateCarree())
ax.coastlines()
plt.savefig('world.png')
