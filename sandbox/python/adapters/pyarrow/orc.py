"""pyarrow.orc: not here; its names say so."""

from __future__ import annotations

from ._errors import absent

write_table = absent("Writing ORC files")
read_table = ORCFile = absent("Reading ORC files")
