import errno
for place in ('/home/user/fill', '/tmp/fill'):
    try:
        with open(place, 'wb') as out:
            for _ in range(8192):
                out.write(bytes(1 << 20))
        print('no end')
    except OSError as error:
        print(errno.errorcode[error.errno])
import os
os.unlink('/home/user/fill'); os.unlink('/tmp/fill')
'alive'
