# expect: success
# needs: folium
# final-like: ^<folium
# stderr-like: .*
# results: ["text/html"]
import folium
folium.Map(location=[52.5, 13.4])
