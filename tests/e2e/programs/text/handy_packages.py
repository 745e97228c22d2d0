# More small packages that programs import, without warnings of their own.
# expect: success
# needs: natsort bidict intervaltree jmespath parse inflection deepdiff
#     pendulum croniter tinydb peewee sqlglot phonenumbers transitions
#     marshmallow
# stdout: "['file2', 'file10'] one cities 5\nmorning [1]\n{\"root['a']\":
#     {'new_value': 2, 'old_value': 1}}\n2024-02-29 2024-01-01
#     00:05:00\nAnn\nBob ['SELECT COALESCE(a, 1) FROM
#     t']\n+442083661177\non\n{'age': ['Not a valid integer.']}\n"
# cut
from datetime import datetime

import inflection
import jmespath
import parse
import pendulum
import peewee
import phonenumbers
import sqlglot
from bidict import bidict
from croniter import croniter
from deepdiff import DeepDiff
from intervaltree import IntervalTree
from marshmallow import Schema, ValidationError, fields
from natsort import natsorted
from tinydb import Query, TinyDB
from tinydb.storages import MemoryStorage
from transitions import Machine

print(natsorted(["file10", "file2"]), bidict(one=1).inverse[1],
      inflection.pluralize("city"), parse.parse("{:d} kg", "5 kg")[0])
tree = IntervalTree()
tree[1:5] = "morning"
print(tree[3].pop().data, jmespath.search("a[*].b", {"a": [{"b": 1}]}))
print(DeepDiff({"a": 1}, {"a": 2})["values_changed"])
print(pendulum.datetime(2024, 1, 31).add(months=1).to_date_string(),
      croniter("*/5 * * * *", datetime(2024, 1, 1)).get_next(datetime))
table = TinyDB(storage=MemoryStorage)
table.insert({"name": "Ann", "age": 31})
print(table.search(Query().age > 30)[0]["name"])
database = peewee.SqliteDatabase(":memory:")


class Person(peewee.Model):
    name = peewee.CharField()

    class Meta:
        database = database


database.create_tables([Person])
Person.create(name="Bob")
print(Person.get().name, sqlglot.transpile(
    "SELECT IFNULL(a, 1) FROM t", read="mysql", write="postgres"))
number = phonenumbers.parse("020 8366 1177", "GB")
print(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))


class Lamp:
    pass


lamp = Lamp()
Machine(lamp, ["off", "on"], transitions=[["press", "off", "on"]],
        initial="off")
lamp.press()
print(lamp.state)
try:
    Schema.from_dict({"age": fields.Int()})().load({"age": "x"})
except ValidationError as error:
    print(error.messages)
