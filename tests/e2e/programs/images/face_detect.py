# expect: success
# stdout-has: "Faces: 0"
# stderr-like: .*
# needs: cv2 numpy
# cut
import cv2, numpy as np
img = np.random.default_rng(0).integers(0, 255, (120, 120, 3), dtype=np.uint8)
gray = cv2.cvtColor(img, cv2.COLOR_BGR2GRAY)
cascade = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_default.xml")
faces = cascade.detectMultiScale(gray, 1.3, 5)
print("Faces:", len(faces))
