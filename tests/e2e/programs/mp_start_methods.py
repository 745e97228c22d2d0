# expect: success
# final: ["spawn", ["fork", "spawn", "forkserver"], [1, 4], [1, 4], [1, 4],
#    "context has already been set"]
import multiprocessing as mp


def square(x):
    return x * x


if __name__ == "__main__":
    mp.set_start_method("spawn")
    mp.freeze_support()
    results = []
    for method in mp.get_all_start_methods():
        with mp.get_context(method).Pool(2) as pool:
            results.append(pool.map(square, [1, 2]))
    try:
        mp.set_start_method("fork")
    except RuntimeError as exc:
        error = str(exc)
[mp.get_start_method(), mp.get_all_start_methods(), *results, error]
