# Distances of cities, one by one and as vectors.
# expect: success
# needs: numpy
# stdout: "392.2172595594006 243.71250609539814\n211.780378 6148136.972\n[
#     392.2173 6148.137 ]\n[[6148.14, 5838.52], [392.22, 0.0], [0.0,
#     392.22]]\n[48.855873, 1.913409]\nUnit.KILOMETERS 180.0
#     18903.164\nValueError Latitude 91 is out of range [-90,
#     90]\nIndexError Without comb=True both arrays need the same shape: (1,
#     2) and (2, 2)\n"
# cut
from haversine import Direction, Unit, haversine, haversine_vector
from haversine import inverse_haversine

lyon, paris, new_york = (45.7597, 4.8422), (48.8567, 2.3508), (40.7033, -74.0170)
print(haversine(lyon, paris), haversine(lyon, paris, unit=Unit.MILES))
print(round(haversine(lyon, paris, unit="nmi"), 6),
      round(haversine(lyon, new_york, unit=Unit.METERS), 3))
print(haversine_vector([lyon, lyon], [paris, new_york]).round(4))
print(haversine_vector([lyon, paris], [new_york, paris, lyon],
                       comb=True).round(2).tolist())
print([round(one, 6) for one in inverse_haversine(paris, 32, Direction.WEST)])
print(Unit("km"), round(haversine((0, 0), (0, 180), unit=Unit.DEGREES), 9),
      round(haversine((0, 190), (0, 0), normalize=True), 3))
for bad in (lambda: haversine((91, 0), (0, 0)),
            lambda: haversine_vector([lyon], [paris, lyon])):
    try:
        bad()
    except (ValueError, IndexError) as error:
        print(type(error).__name__, error)
