# expect: success
# stdout: "ready\n"
# cut
try:
    from IPython import get_ipython
    shell = get_ipython()
    if shell is not None:
        shell.run_line_magic('matplotlib', 'inline')
        shell.run_line_magic('load_ext', 'autoreload')
except ImportError:
    pass
print('ready')
