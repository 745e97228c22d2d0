# expect: success
# needs: faker
# stdout-like: ^\['[^']+', '[^']+', '[^']+'\]\n$
# cut
from faker import Faker

fake = Faker()
Faker.seed(0)
print([fake.name() for _ in range(3)])
