# expect: success
# stderr: "<exec>:4: UserWarning: careful\n  warnings.warn(\"careful\")\n"
import warnings
warnings.warn("careful")
