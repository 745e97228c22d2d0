# expect: success
# needs: folium
# files-kinds: {"map.html": "text"}
# final-like: .*
# results: ["text/html"]
# cut
import folium
from folium.plugins import HeatMap, MarkerCluster

m = folium.Map(location=[48.85, 2.35], zoom_start=12)
folium.Marker([48.8584, 2.2945], popup='Eiffel Tower',
              icon=folium.Icon(color='red')).add_to(m)
HeatMap([[48.85, 2.35, 1]]).add_to(m)
m.save('/mnt/data/map.html')
m
