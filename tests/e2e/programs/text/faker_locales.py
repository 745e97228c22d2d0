# Several locales at once, and values that do not repeat.
# expect: success
# needs: faker
# final: [true, 10, true]
# cut
from faker import Faker

Faker.seed(0)
fake = Faker(["en_US", "de_DE"])
numbers = [Faker().unique.random_int(1, 10) for _ in range(1)]
one = Faker()
unique = {one.unique.random_int(1, 10) for _ in range(10)}
try:
    one.unique.random_int(1, 10)
    ended = False
except Exception:
    ended = True
[all(isinstance(fake.name(), str) for _ in range(5)), len(unique), ended]
