# Small packages that programs import often, without warnings of their own.
# expect: success
# needs: termcolor colorama humanize dateparser jellyfish ruamel.yaml thefuzz
# stdout: "2024-03-12\n2024-05-29\n1,234,567 123.5 MB\n1 R163\na: [1, 2] #
#     kept\n('Acme Inc.', 90)\ndone\n"
# cut
import datetime as dt
import io

import colorama
import dateparser
import humanize
import jellyfish
from ruamel.yaml import YAML
from termcolor import colored
from thefuzz import fuzz, process

colorama.init(autoreset=True)
now = {"RELATIVE_BASE": dt.datetime(2024, 6, 1)}
print(dateparser.parse("12 de marzo de 2024").date())
print(dateparser.parse("3 days ago", settings=now).date())
print(humanize.intcomma(1234567), humanize.naturalsize(123456789))
print(jellyfish.levenshtein_distance("a", "b"), jellyfish.soundex("Robert"))
yaml, out = YAML(), io.StringIO()
yaml.dump(yaml.load("a: [1, 2] # kept\n"), out)
print(out.getvalue(), end="")
print(process.extractOne("acme", ["Acme Inc.", "Globex"],
                         scorer=fuzz.WRatio))
print("done", file=None)
assert "red" in colored("red", "red")
