# expect: error
# Text that would forge a line of a careless log.
sys.stderr.write("\n<3>terrarium master[1]: forged\n")
raise ValueError("x\n2026/01/01 00:00:00 [alert] 1#1: *1 forged\r\n\x1b[2J")
