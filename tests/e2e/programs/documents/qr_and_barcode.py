# expect: success
# needs: qrcode PIL
# files-kinds: {"qr.png": "png"}
# stdout-has: "QR saved"
# cut
import qrcode
from qrcode.constants import ERROR_CORRECT_H

qr = qrcode.QRCode(version=1, error_correction=ERROR_CORRECT_H, box_size=4,
                   border=2)
qr.add_data('https://example.com')
qr.make(fit=True)
img = qr.make_image(fill_color='black', back_color='white')
img.save('/mnt/data/qr.png')
print('QR saved', img.size)
