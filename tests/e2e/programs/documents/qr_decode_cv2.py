# expect: success
# needs: cv2 qrcode pyzbar
# final: [["Zürich, 東京", [1, 4, 2], true], [2, true, ["one", "two"]], ""]
# cut
import cv2
import numpy as np
import qrcode


def code(text):
    image = qrcode.make(text, box_size=6).convert("RGB").resize((300, 300))
    return np.array(image)


detector = cv2.QRCodeDetector()
text, points, _ = detector.detectAndDecode(code("Zürich, 東京"))
near = bool(abs(points - np.array([[40, 40]])).min() < 20)
many = detector.detectAndDecodeMulti(np.hstack([code("one"), code("two")]))
none = detector.detectAndDecode(np.full((200, 200, 3), 255, np.uint8))
[[text, list(points.shape), near],
 [len(many[1]), many[0], sorted(many[1])], none[0]]
