# Fourier transforms, and generators with a seed.
import numpy as np

wave = np.sin(2 * np.pi * 5 * np.arange(64) / 64)
spectrum = np.abs(np.fft.rfft(wave))
x = np.random.default_rng(42).integers(0, 1000, 6)
{
    "peak": int(spectrum.argmax()),
    "height": round(float(spectrum.max()), 9),
    "back": np.allclose(np.fft.ifft(np.fft.fft(wave)).real, wave),
    "fft2": np.allclose(np.fft.ifft2(np.fft.fft2(np.eye(8))), np.eye(8)),
    "legacy": np.random.RandomState(1).randint(0, 100, 5).tolist(),
    "pcg64": x.tolist(),
    "shuffled": sorted(np.random.default_rng().permutation(10).tolist()),
}
# expected: {
#   "peak": 5,
#   "height": 32.0,
#   "back": true,
#   "fft2": true,
#   "legacy": [37, 12, 72, 9, 75],
#   "pcg64": [89, 773, 654, 438, 433, 858],
#   "shuffled": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
# }
