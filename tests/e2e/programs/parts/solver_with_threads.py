import threading, time
n = 0
try:
  for n in range(20):
    threading.Thread(target=time.sleep, args=(1,)).start()
except RuntimeError: pass
import json
open('result.json', 'w').write(json.dumps({'status': 'unknown', 'schedule': [n]}))
