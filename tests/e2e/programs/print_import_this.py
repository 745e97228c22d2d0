# expect: success
# stdout-has: "Beautiful is better than ugly."
import this
