import builtins, ctypes, decimal, gc, locale, os, signal, sys, threading
import warnings
import matplotlib, numpy
import json, random, collections, io

def tree(top):
    return sorted(os.path.join(where, name) for where, folders, files
                  in os.walk(top) for name in folders + files)

def public(module):
    return [(name, type(getattr(module, name)).__name__)
            for name in dir(module)]


def _closed(n):
    try:
        os.fstat(n)
    except OSError:
        return True

libc = ctypes.CDLL(None)
mask = os.umask(0o22)
{
    'home': tree('/home/user'), 'tmp': tree('/tmp'), 'cwd': os.getcwd(),
    'environ': dict(os.environ), 'umask': mask,
    'path': sys.path, 'argv': sys.argv, 'flags': str(sys.flags),
    'recursion': sys.getrecursionlimit(), 'meta': len(sys.meta_path),
    'hooks': [sys.excepthook is sys.__excepthook__,
              sys.displayhook.__module__, sys.unraisablehook.__module__],
    'modules': len(sys.modules), 'builtins': public(builtins),
    'numpy': public(numpy), 'json': public(json), 'os': public(os),
    'warnings': repr(warnings.filters), 'decimal': decimal.getcontext().prec,
    'locale': locale.setlocale(locale.LC_ALL),
    'rc': sorted((k, repr(v)) for k, v in matplotlib.rcParams.items()),
    'signals': [repr(signal.getsignal(n)) for n in range(1, 32)],
    'mask': sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    'timer': signal.setitimer(signal.ITIMER_REAL, 0),
    'threads': threading.active_count(), 'gc': gc.isenabled(),
    'optind': ctypes.c_int.in_dll(libc, 'optind').value,
    'timezone': ctypes.c_long.in_dll(libc, 'timezone').value,
    'globals': sorted(globals()), 'one': [1 + 1, 1 - 1, 7 * 6],
    'descriptors': [n for n in range(64) if not _closed(n)],
    'add': int(numpy.add(1, 2)), 'ids': [os.getuid() == os.geteuid(),
                                         os.getpid(), os.getppid()],
}
