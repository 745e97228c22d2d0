# needs: soundfile numpy
# expect: success
# final: [8000, true, "WAV", true]
# A sound that is written to memory goes through callbacks of cffi.
import io

import numpy
import soundfile

wave = numpy.sin(numpy.arange(8000) / 10)
buffer = io.BytesIO()
soundfile.write(buffer, wave, 8000, format="WAV")
buffer.seek(0)
again, rate = soundfile.read(buffer)
buffer.seek(0)
[rate, bool(numpy.allclose(wave, again, atol=1e-3)),
 soundfile.info(buffer).format, len(buffer.getvalue()) > 16000]
