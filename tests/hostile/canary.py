"""A harmless program that runs beside the hostile ones: numbers and a plot.
Its answer must stay right, and it must not be slowed more than its fair
share of a busy machine explains."""

from __future__ import annotations

import base64
import statistics
import threading
import time
from typing import Optional

from client import Client
from pace import SLOWER

# Another client's request: no attack may find this word.
WORD = "canary-7f3a9c51d2"
CODE = f"""# {WORD}
import numpy as np
import matplotlib.pyplot as plt
x = np.linspace(0, 1, 101)
fig, axes = plt.subplots(figsize=(2, 1.5))
axes.plot(x, np.sin(x))
plt.show()
round(float(np.linalg.inv(np.diag(np.arange(1.0, 41.0))).sum()), 6)
"""
VALUE = 4.278543
PATIENCE_S = 20.0 * SLOWER


def sing(client: Client) -> float:
    """One run; its seconds. Fails when the answer is wrong."""
    begun = time.monotonic()
    answer = client.run(CODE, files={f"{WORD}.txt": WORD},
                        timeout=PATIENCE_S, results=True).json()
    took = time.monotonic() - begun
    assert answer["success"], answer["error"]
    assert answer["final_expression"] == VALUE, answer["final_expression"]
    png = base64.b64decode(answer["results"][0]["image/png"])
    assert png.startswith(b"\x89PNG\r\n"), png[:20]
    assert answer["output_files"] == [], answer["output_files"]
    return took


def median(client: Client, times: int) -> float:
    return statistics.median(sing(client) for _ in range(times))


class Canary:
    """Sings beside something else: `with Canary(client) as canary:`."""

    def __init__(self, client: Client, pause_s: float = 0.05) -> None:
        self.client, self.pause_s = client, pause_s
        self.times: list[float] = []
        self.trouble: Optional[BaseException] = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sing)

    def _sing(self) -> None:
        try:
            while not self.times or not self._over.is_set():
                self.times.append(sing(self.client))
                self._over.wait(self.pause_s)
        except BaseException as error:  # shown by __exit__'s caller
            self.trouble = error

    def __enter__(self) -> Canary:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
