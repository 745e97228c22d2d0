# expect: success
# stdout: "failed\n"
# stderr-has: ["cannot be started here", "os.listdir"]
# cut
import os
status = os.system('ls -la /mnt/data')
print('ok' if status == 0 else 'failed')
