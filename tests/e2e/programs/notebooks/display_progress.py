# expect: success
# stdout-has: "done"
# stderr-like: .*
# needs: tqdm
# cut
from IPython.display import clear_output, display, Image, Javascript
from tqdm.auto import tqdm
import time
for i in tqdm(range(3)):
    clear_output(wait=True); time.sleep(.01)
print("done")
