# expect: failure
# error: FileNotFoundError
# told: "/home/user"
# cut
with open('/output/results.txt', 'w') as f:
    f.write('done')
