import os
open('top', 'w').write('t')
try:
    for _ in range(3000):
        os.mkdir('d' * 50)
        os.chdir('d' * 50)
    open('bottom', 'w').write('b')
except OSError:
    pass
None
