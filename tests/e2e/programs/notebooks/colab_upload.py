# expect: failure
# error: ModuleNotFoundError
# told: "google"
# without: google
# cut
from google.colab import files, drive

drive.mount('/content/drive')
uploaded = files.upload()
