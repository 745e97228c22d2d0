# expect: failure
# needs: geopy
# error: GeocoderUnavailable
# told: "network"
# cut
from geopy.geocoders import Nominatim

geolocator = Nominatim(user_agent="my_app")
location = geolocator.geocode("Eiffel Tower, Paris", timeout=5)
print(location.latitude, location.longitude)
