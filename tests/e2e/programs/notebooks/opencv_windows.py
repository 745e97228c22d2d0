# expect: success
# needs: cv2
# stderr-like: .*
# results: ["image/png"]
import cv2
import numpy as np
cv2.namedWindow("a", cv2.WINDOW_NORMAL)
cv2.imshow("a", np.zeros((20, 30, 3), np.uint8))
while cv2.waitKey(1) & 0xFF != ord("q"):
    pass
while cv2.waitKey(0) != 27:
    pass
cv2.destroyAllWindows()
