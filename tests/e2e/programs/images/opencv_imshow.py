# expect: success
# needs: cv2
# results: ["image/png"]
# stdout: "quit\n"
# stderr-like: .*
# cut
import cv2
import numpy as np

img = np.full((100, 100), 128, np.uint8)
cv2.imshow('window', img)
if cv2.waitKey(0) & 0xFF == ord('q'):
    print('quit')
cv2.destroyAllWindows()
