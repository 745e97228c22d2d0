# expect: success
# stdout: "MainProcess None\nProcess-1 MainProcess False\nworker MainProcess
#    True\n[0, 0] True True\n"
import multiprocessing as mp
import os


def tell(queue):
    me = mp.current_process()
    queue.put((f"{me.name} {mp.parent_process().name} {me.daemon}",
               os.getpid(), me.pid))


if __name__ == "__main__":
    print(mp.current_process().name, mp.parent_process())
    queue = mp.Queue()
    processes = [mp.Process(target=tell, args=(queue,)),
                 mp.Process(target=tell, args=(queue,), name="worker",
                            daemon=True)]
    same = True
    for process in processes:
        process.start()
        text, number, own = queue.get()
        same = same and number == own == process.pid != os.getpid()
        print(text)
    for process in processes:
        process.join()
    print([process.exitcode for process in processes], same,
          mp.active_children() == [])
