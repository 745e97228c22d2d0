# expect: success
# needs: tqdm
# stderr-has: "100%"
# final: [0, 1, 4, 9]
from tqdm.contrib.concurrent import process_map


def square(x):
    return x * x


process_map(square, range(4), max_workers=2, chunksize=1)
