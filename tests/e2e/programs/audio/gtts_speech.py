# expect: failure
# error: ModuleNotFoundError
# told: "gtts"
# without: gtts
# cut
from gtts import gTTS
gTTS("Hello", lang="en").save("/mnt/data/hello.mp3")
