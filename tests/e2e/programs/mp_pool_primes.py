# expect: success
# stdout: "Found 168 primes\nLast: 997\n"
from multiprocessing import Pool, cpu_count


def is_prime(n):
    if n < 2:
        return False
    for i in range(2, int(n ** 0.5) + 1):
        if n % i == 0:
            return False
    return True


def main():
    with Pool(processes=cpu_count()) as pool:
        flags = pool.map(is_prime, range(1000))
    primes = [n for n, flag in enumerate(flags) if flag]
    print(f"Found {len(primes)} primes")
    print("Last:", primes[-1])


if __name__ == "__main__":
    main()
