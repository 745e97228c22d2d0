# Maps that newer versions of folium know by name, and old ones.
# expect: success
# needs: folium
# stderr-like: .*
# final: [true, true, true, 1, true]
# cut
import folium

town = folium.Map([52.5, 13.4], zoom_start=10, tiles="Esri.WorldImagery")
folium.TileLayer("CartoDB Voyager").add_to(town)
folium.TileLayer("OpenTopoMap", name="Topo").add_to(town)
folium.TileLayer("https://x/{z}/{x}/{y}.png", attr="own", name="x").add_to(town)
folium.LayerControl().add_to(town)
page = town.get_root().render()
plain = folium.Map([0, 0]).get_root().render()
named = sum(isinstance(one, folium.TileLayer) and
            "voyager" in one.tile_name.lower()
            for one in town._children.values())
["World_Imagery/MapServer/tile/{z}/{y}/{x}" in page,
 "opentopomap.org/{z}/{x}/{y}.png" in page and '"Topo"' in page,
 "voyager" in page, named, "openstreetmap" in plain]
