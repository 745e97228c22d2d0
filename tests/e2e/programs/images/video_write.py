# expect: success
# files-kinds: {"out.avi": "wave"}
# stdout-has: "frames 10"
# stderr-like: .*
# needs: cv2 numpy
# cut
import cv2, numpy as np
w = cv2.VideoWriter("/mnt/data/out.avi", cv2.VideoWriter_fourcc(*"MJPG"), 10, (64, 48))
for i in range(10): w.write(np.full((48, 64, 3), i * 20, np.uint8))
w.release()
cap = cv2.VideoCapture("/mnt/data/out.avi"); n = 0
while True:
    ok, frame = cap.read()
    if not ok: break
    n += 1
print("frames", n)
