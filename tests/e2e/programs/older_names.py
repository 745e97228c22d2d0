# Modules and functions of newer libraries, or of the same under another name.
# needs: Cryptodome imageio holidays
# expect: success
# final: ["Unity Day", 16, [2, 2, 3], [2, 2, 3]]
import datetime

import holidays
import imageio.v2 as imageio
import imageio.v3 as iio
import numpy
from Crypto.Cipher import AES

iio.imwrite("/tmp/a.png", numpy.zeros((2, 2, 3), numpy.uint8))
german = holidays.country_holidays("DE", subdiv="BE", years=2024)
day = german.get(datetime.date(2024, 10, 3))
[day and "Unity Day", len(AES.new(b"k" * 16, AES.MODE_ECB).encrypt(b"x" * 16)),
 list(imageio.imread("/tmp/a.png").shape), list(iio.imread("/tmp/a.png").shape)]
