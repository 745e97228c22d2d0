# expect: ok
# Threads until something gives.
import threading

made = 0
try:
    while made < 5000:
        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
        made += 1
except RuntimeError as error:
    print(made, error)
tell(made == 5000, made)
