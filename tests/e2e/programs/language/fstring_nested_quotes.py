# Quotes, backslashes, comments and line ends within an f-string's braces.
# expect: success
# stdout: "Name: Ann, total 3\na\nb 'x' {3}  5\nAnn!r=\"Ann\"\n"
# final: "row[\"name\"]='Ann'"
# cut
row = {"name": "Ann", "scores": [1, 2]}
print(f"Name: {row["name"]}, total {sum(row["scores"])}")
print(f"{'\n'.join(["a", "b"])} {"'x'"} {{{f"{row["scores"][0] + 2}"}}} {
    5  # five's
    :2}")
print(f'{row['name']}!r="{row['name']}"')
f'{row["name"]=}'
