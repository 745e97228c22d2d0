import resource as r
out = []
for name in ('AS', 'CPU', 'NOFILE', 'NPROC', 'CORE', 'FSIZE'):
    kind = getattr(r, 'RLIMIT_' + name)
    try:
        r.setrlimit(kind, (r.RLIM_INFINITY, r.RLIM_INFINITY))
        if r.getrlimit(kind)[0] == r.RLIM_INFINITY:
            out.append(name)
    except (OSError, ValueError):
        pass
out
