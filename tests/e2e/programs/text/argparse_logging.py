# expect: success
# stdout: "['t0', 't1', 't2']\n"
# stderr-has: ["INFO", "Processing 3 items"]
# cut
import argparse
import logging
from dataclasses import dataclass, field
from typing import Optional

logging.basicConfig(level=logging.INFO,
                    format='%(asctime)s - %(levelname)s - %(message)s')
log = logging.getLogger(__name__)

@dataclass
class Task:
    name: str
    tags: list[str] = field(default_factory=list)
    owner: Optional[str] = None

def main():
    p = argparse.ArgumentParser()
    p.add_argument('--count', type=int, default=3)
    args = p.parse_args()
    log.info('Processing %d items', args.count)
    print([Task(f't{i}').name for i in range(args.count)])

if __name__ == '__main__':
    main()
