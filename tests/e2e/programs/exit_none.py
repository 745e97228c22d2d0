# expect: success
import sys
sys.exit()
