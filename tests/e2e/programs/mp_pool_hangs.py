# expect: failure
# timeout_ms: 1500
# error: timeout
# stdout: "begin\n"
# message-has: "time limit"
# exit-code: [1, 137]
# Spinning children may leave the first process no time for its own end.
from multiprocessing import Pool


def spin(_):
    while True:
        pass


if __name__ == "__main__":
    print("begin")
    with Pool(2) as pool:
        pool.map(spin, range(2))
