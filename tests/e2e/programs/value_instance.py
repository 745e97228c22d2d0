# expect: success
# final-like: ^<__main__\.Thing object at 0x[0-9a-f]+>$
class Thing:
    pass


Thing()
