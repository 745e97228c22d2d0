# expect: success
# needs: numpy scipy
# files-kinds: {"tone.wav": "wave", "tone2.wav": "wave"}
# stdout: "8000 440.0\n"
# cut
import wave
import numpy as np
from scipy.io import wavfile
from scipy import signal

rate = 8000
t = np.linspace(0, 1, rate, endpoint=False)
tone = (np.sin(2 * np.pi * 440 * t) * 32767 * 0.5).astype(np.int16)
with wave.open('/mnt/data/tone.wav', 'wb') as w:
    w.setnchannels(1); w.setsampwidth(2); w.setframerate(rate)
    w.writeframes(tone.tobytes());
fs, data = wavfile.read('/mnt/data/tone.wav')
freqs = np.fft.rfftfreq(len(data), 1 / fs)
print(fs, freqs[np.argmax(np.abs(np.fft.rfft(data)))])
b, a = signal.butter(4, 1000, 'low', fs=fs)
wavfile.write('/mnt/data/tone2.wav', fs,
              signal.filtfilt(b, a, data).astype(np.int16))
