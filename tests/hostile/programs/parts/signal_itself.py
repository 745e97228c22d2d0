hits.clear()
os.kill(os.getpid(), 10); a = len(hits)
signal.raise_signal(10); b = len(hits)
libc['raise'](10)
c = len(hits)
in_one = threading.Thread(
    target=lambda: os.kill(os.getpid(), 10))
in_one.start(); in_one.join()
(a, b, c, len(hits))
