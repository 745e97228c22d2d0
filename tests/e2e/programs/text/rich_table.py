# expect: success
# needs: rich
# stdout-has: ["Star Wars", "Revenue"]
# cut
from rich.console import Console
from rich.table import Table
from rich.progress import track

table = Table(title="Star Wars")
table.add_column("Movie", style="cyan")
table.add_column("Revenue", justify="right")
table.add_row("Solo", "$393,151,347")
Console().print(table)
for _ in track(range(3), description="Working"):
    pass
