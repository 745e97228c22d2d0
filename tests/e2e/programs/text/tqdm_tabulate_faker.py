# expect: success
# needs: tqdm tabulate
# stdout: "+-----+------+\n|   n |   n² |\n+=====+======+\n|   0 |    0 |\n+-----+------+\n|   1 |    1 |\n+-----+------+\n|   2 |    4 |\n+-----+------+\n|   3 |    9 |\n+-----+------+\n|   4 |   16 |\n+-----+------+\n"
# stderr-like: 100%
# cut
from tqdm import tqdm
from tqdm.notebook import tqdm as tqdm_nb
from tabulate import tabulate

squares = [i ** 2 for i in tqdm(range(5), desc="Squaring")]
print(tabulate([[i, s] for i, s in enumerate(squares)],
               headers=["n", "n²"], tablefmt="grid"))
