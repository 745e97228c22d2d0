import errno, os
os.mkdir('/tmp/many')
try:
    for i in range(2_000_000):
        open(f'/tmp/many/{i}', 'x').close()
    out = 'no end'
except OSError as error:
    out = errno.errorcode[error.errno]
out
