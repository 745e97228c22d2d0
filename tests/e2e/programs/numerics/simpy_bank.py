# A bank with two clerks and a machine that breaks, as events in time.
# expect: success
# needs: simpy
# stdout: "25 broken\n40 4 1.02\n8 100.0 3\n"
# cut
import random
import statistics

import simpy

CUSTOMERS, CLERKS = 40, 2


def customer(env, name, bank, waits):
    arrived = env.now
    with bank.request() as request:
        patience = 6
        result = yield request | env.timeout(patience)
        if request not in result:
            lost.append(name)
            return
        waits.append(env.now - arrived)
        yield env.timeout(random.expovariate(1 / 3))


def arrivals(env, bank, waits):
    for number in range(CUSTOMERS):
        env.process(customer(env, f"customer {number}", bank, waits))
        yield env.timeout(random.expovariate(1 / 1.5))


def machine(env, store):
    while True:
        try:
            yield env.timeout(10)
            yield store.put("part")
        except simpy.Interrupt as stop:
            print(f"{env.now:.0f} {stop.cause}")
            yield env.timeout(5)


def breaker(env, process):
    yield env.timeout(25)
    process.interrupt("broken")


random.seed(42)
lost, waits = [], []
env = simpy.Environment()
bank = simpy.Resource(env, capacity=CLERKS)
store = simpy.Store(env, capacity=10)
env.process(arrivals(env, bank, waits))
env.process(breaker(env, env.process(machine(env, store))))
env.run(until=100)
print(len(waits) + len(lost), len(lost), round(statistics.mean(waits), 2))
print(len(store.items), env.now, simpy.__version__[0])
