# expect: success
# stdout: "MainProcess begin\nnamed step 1\nMainProcess end\n"
import logging
import multiprocessing
import sys

logging.basicConfig(stream=sys.stdout, level=logging.INFO,
                    format="%(processName)s %(message)s")


def step(n):
    logging.info("step %d", n)


logging.info("begin")
process = multiprocessing.Process(target=step, args=(1,), name="named")
process.start()
process.join()
logging.info("end")
