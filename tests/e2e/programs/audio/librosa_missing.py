# expect: failure
# error: ModuleNotFoundError
# told: ["librosa", "scipy"]
# without: librosa
# cut
import librosa

y, sr = librosa.load('/mnt/data/song.mp3')
print(librosa.beat.beat_track(y=y, sr=sr)[0])
