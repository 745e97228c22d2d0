# expect: success
# stdout: "[0, 1, 4, 9, 16, 25, 36, 49, 64, 81]\n328350\n"
# cut
import multiprocessing as mp
import os

def square(n):
    return n * n

if __name__ == '__main__':
    with mp.Pool(processes=mp.cpu_count()) as pool:
        print(pool.map(square, range(10)))
    with mp.Pool(4) as pool:
        print(sum(pool.imap_unordered(square, range(100), chunksize=10)))
