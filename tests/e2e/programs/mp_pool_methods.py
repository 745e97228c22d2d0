# expect: success
# final: [[8, 9], [1, 4, 9], [1, 4, 9], 25, [[1, 4]], true, [2, 3], [0, 6]]
from multiprocessing import Pool


def power(base, exponent):
    return base ** exponent


def square(x):
    return x * x


heard = []
with Pool(3) as pool:
    star = pool.starmap(power, [(2, 3), (3, 2)])
    lazy = list(pool.imap(square, [1, 2, 3], chunksize=2))
    mixed = sorted(pool.imap_unordered(square, [3, 1, 2]))
    one = pool.apply(square, (5,))
    later = pool.map_async(square, [1, 2], callback=heard.append)
    later.wait(5)
    done = later.successful()
    asyncs = [pool.apply_async(max, (i, 2)) for i in (1, 3)]
    got = [result.get(timeout=5) for result in asyncs]
    stars = pool.starmap_async(power, [(0, 1), (6, 1)]).get()
    pool.close()
    pool.join()
[star, lazy, mixed, one, heard, done, got, stars]
