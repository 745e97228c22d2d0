# OpenCV's libraries print nothing when they are loaded, such as libgcrypt's
# warning of memory that cannot be locked.
# needs: cv2
# expect: success
# final: [2, 2]
import cv2
import numpy

list(cv2.resize(numpy.zeros((1, 1)), (2, 2)).shape)
