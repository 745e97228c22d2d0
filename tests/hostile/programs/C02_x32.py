# expect: crash machine=x86_64
# The third set of numbers of the same processor.
for number in list(range(64)) + [512, 514, 520, 521, 545]:
    no_call(0x40000000 | number, 0, 0, 0, 0, 0, 0)
