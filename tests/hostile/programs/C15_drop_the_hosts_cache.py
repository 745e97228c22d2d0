# expect: ok
# Pages of shared files belong to all: a guest that drops them makes the
# host read its disk again, for every other guest too. The kernel would say
# that there is no such descriptor.
got = call("fadvise64", 999, 0, 0, 4)
tell(got[1] == "EBADF", got)
for name, words in (("readahead", (999, 0, 1)), ("cachestat", (999, 0, 0, 0)),
                    ("sync_file_range", (999, 0, 1, 0))):
    got = call(name, *words)
    tell(got[1] == "EBADF", name, got)
