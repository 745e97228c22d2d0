# expect: success
# needs: qrcode pyzbar
# final: "terrarium-42"
# cut
import qrcode
from pyzbar.pyzbar import decode

img = qrcode.make('terrarium-42').get_image()
decode(img)[0].data.decode()
