import os
def main():
    os.makedirs('artifacts/deep')
    os.chdir('artifacts')
    for name in ('x.txt', 'noext', '.dot.png', 'deep/in.png', '../out.png',
                 'back\\slash.png', 'line\nend.png', 'png', '.png',
                 b'bad\xff.png'):
        open(name, 'w').write('x')
    open('empty.png', 'w')
    os.symlink('/usr/bin/env', 'link.png')
    os.mkfifo('pipe.png')
    with open('large.png', 'wb') as file:
        file.truncate((10 << 20) + 1)
    with open('good.png', 'wb') as file:
        file.truncate(10 << 20)
