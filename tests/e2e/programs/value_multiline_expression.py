# expect: success
# final: 6
sum([
    1,
    2,
    3,
])
