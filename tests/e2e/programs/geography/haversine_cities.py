# Distances by haversine in all units, and the way back.
# expect: success
# needs: numpy
# without: haversine
# stdout:
#     "392.2172595594006 243.71250609539814 211.7804 392217\n[392.217 734.996]
#     [[735.0, 342.8]]\n[48.5689, 2.3508]\nLatitude 95 is out of range [-90,
#     90]\n0.0\n"
# cut
from haversine import (Direction, Unit, haversine, haversine_vector,
                       inverse_haversine)

lyon, paris, london = (45.7597, 4.8422), (48.8567, 2.3508), (51.5, -0.1275)
print(haversine(lyon, paris), haversine(lyon, paris, unit=Unit.MILES),
      round(haversine(lyon, paris, unit="nmi"), 4),
      round(haversine(lyon, paris, Unit.METERS)))
print(haversine_vector([lyon, lyon], [paris, london]).round(3),
      haversine_vector([lyon, paris], [london], Unit.KILOMETERS,
                       comb=True).round(1).tolist())
print([round(one, 4) for one in inverse_haversine(
    paris, 32, Direction.SOUTH)])
try:
    haversine((95, 0), paris)
except ValueError as error:
    print(error)
print(round(haversine((95, 0), (85, 180), normalize=True), 3))
