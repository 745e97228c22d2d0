# expect: ok
# All descriptors; the answer must come nevertheless.
try:
    while True:
        os.open("/dev/null", os.O_RDONLY)
except OSError as error:
    tell(error.errno != errno.EMFILE, error)
"answered"
