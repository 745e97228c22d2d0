# expect: failure
# error: ValueError
# message-has: ["RemoteTraceback", "in half", "ValueError: 3 is odd"]
# message-lacks: "_terrarium"
from multiprocessing import Pool


def half(x):
    if x % 2:
        raise ValueError(f"{x} is odd")
    return x // 2


with Pool(2) as pool:
    print(pool.map(half, [2, 3]))
