# expect: failure
# error: ModuleNotFoundError
# told: ["tensorflow"]
# without: tensorflow
# cut
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
model = keras.Sequential([layers.Dense(10)])
