# expect: ok|timeout timeout_ms=1000
# An object that will not go.
class Stubborn:
    def __del__(self):
        while True:
            pass


one = Stubborn()
sys.modules["kept"] = one
print("end")
