# expect: failure
# error: RuntimeError
# told: ["files.upload() has no person to ask", "in the working directory"]
# warnings: ["drive.mount() did nothing"]
# without: google
# cut
from google.colab import files, drive

drive.mount('/content/drive')
uploaded = files.upload()
