# expect: success
# stdout: "finished\n"
# stderr-has: ["Ran 2 tests", "OK"]
# cut
import unittest

def add(a, b):
    return a + b

class TestAdd(unittest.TestCase):
    def test_ints(self):
        self.assertEqual(add(1, 2), 3)

    def test_text(self):
        self.assertEqual(add('a', 'b'), 'ab')

unittest.main(argv=[''], exit=False, verbosity=1);
print('finished')
