"""pyarrow.feather: not here; its names say so."""

from __future__ import annotations

from ._errors import absent

write_feather = absent("Writing Feather files")
read_feather = read_table = absent("Reading Feather files")
