# expect: success
# needs: soundfile
# files-kinds: {"noise.flac": "flac"}
# stdout: "44100 (4410,)\n"
# cut
import numpy as np
import soundfile as sf

rng = np.random.default_rng(0)
sf.write('/mnt/data/noise.flac', rng.uniform(-.1, .1, 4410), 44100)
data, rate = sf.read('/mnt/data/noise.flac')
print(rate, data.shape)
