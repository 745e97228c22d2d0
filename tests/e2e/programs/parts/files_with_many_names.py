import os
try:
    open('sparse', 'wb').truncate(1 << 40)
except OSError:
    pass
open('base', 'wb').write(bytes(8 << 20))
for i in range(300):
    os.link('base', f'l{i}')
