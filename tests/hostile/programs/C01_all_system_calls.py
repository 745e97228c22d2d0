# expect: ok
# Every number that is not allowed, with arguments of zero and of minus one.
# Nothing but a refusal may come back. 335 and 336 are the kernel's own on
# x86-64: no filter is asked about them.
fine = {"EPERM", "ENOSYS", "EAFNOSUPPORT", "EOPNOTSUPP", "ENOTSUP"}
answered, bad = {}, []
for number in range(600):
    if number in ALLOWED:
        continue
    for word in (0, -1):
        got = call(number, *[word] * 6)
        answered[got[1]] = answered.get(got[1], 0) + 1
        if got[0] != -1 or got[1] not in fine:
            bad.append((number, word, got))
tell(bad, bad[:20], answered)
