# expect: success
# needs: geopandas below:3.12
# stdout: "True\n"
# stderr-like: .*
# cut
import geopandas as gpd

world = gpd.read_file(gpd.datasets.get_path('naturalearth_lowres'))
print(world[world.continent == 'Africa'].shape[0] > 40)
