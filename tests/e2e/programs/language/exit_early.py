# expect: failure
# error: SystemExit
# stdout: "No data found\n"
# cut
import sys
from pathlib import Path

if not list(Path('/mnt/data').glob('*.parquet')):
    print("No data found")
    sys.exit(1)
