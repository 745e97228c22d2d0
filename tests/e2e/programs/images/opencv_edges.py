# expect: success
# needs: cv2
# files-kinds: {"edges.png": "png"}
# stdout: "Contours found: 2\nShape: (200, 200)\n"
# stderr-like: .*
# cut
import cv2
import numpy as np

img = np.zeros((200, 200, 3), dtype=np.uint8)
cv2.rectangle(img, (50, 50), (150, 150), (0, 255, 0), -1)
cv2.circle(img, (30, 30), 15, (0, 0, 255), -1)
gray = cv2.cvtColor(img, cv2.COLOR_BGR2GRAY)
edges = cv2.Canny(cv2.GaussianBlur(gray, (5, 5), 0), 50, 150)
contours, _ = cv2.findContours(edges, cv2.RETR_EXTERNAL,
                               cv2.CHAIN_APPROX_SIMPLE)
cv2.imwrite('/mnt/data/edges.png', edges)
print("Contours found:", len(contours))
print("Shape:", edges.shape)
