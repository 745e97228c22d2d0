# expect: ok
# A larger share of the processor.
refused(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(50))
refused(os.nice, -20)
refused(os.setpriority, os.PRIO_PROCESS, 0, -5)
refused(os.sched_setaffinity, 0, range(2))
no_call("ioprio_set", 1, 0, 1 << 13)
no_call("sched_setattr", 0, ctypes.create_string_buffer(48), 0)
