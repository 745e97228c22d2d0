# Models of pydantic 2: model_config, validators of a whole model and of more
# than a value, computed fields, patterns, adapters.
# expect: success
# needs: pydantic
# stdout:
#     "{\"name\":\"Ann\",\"start\":1,\"end\":4,\"code\":\"AB-1\",\"days\":3}\n['name',
#     'start', 'end', 'code']\nfrozen\n('color',) ('code',)\nend before
#     start\nBo goes too far\n{'team': 'x', 'trips':
#     [{'name': 'Bo', 'days': 1}]}\n[1, 2] b'[1,2]'\nDot 3\n{'price': '1.50',
#     'at': '2025-01-02T03:04:00Z', 'on': '2025-01-02'}\n12 13 ['count',
#     'name']\n3 ['name', 'tags', 'marks']\n[('name', True, 'short'), ('tags',
#     False, None)]\n"
# cut
from __future__ import annotations

from datetime import date, datetime, timezone
from decimal import Decimal
from types import SimpleNamespace
from typing import Annotated, Any, List, Optional

from pydantic import (BaseModel, ConfigDict, Field, TypeAdapter,
                      ValidationError, ValidationInfo, computed_field,
                      field_validator, model_validator)


class Trip(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid",
                              str_strip_whitespace=True, from_attributes=True)

    name: str = Field("Bo", description="who travels")
    start: int = 1
    end: int = Field(gt=0)
    code: Optional[str] = Field(default="AB-1", pattern=r"^[A-Z]{2}-\d+$")

    @model_validator(mode="before")
    @classmethod
    def from_pair(cls, data: dict) -> dict:
        if isinstance(data, dict) and "pair" in data:
            start, end = data["pair"]
            return {"start": start, "end": end, "name": data["name"]}
        return data

    @model_validator(mode="after")
    def ordered(self) -> Trip:
        if self.end <= self.start:
            raise ValueError("end before start")
        return self

    @field_validator("end", mode="after")
    @classmethod
    def near(cls, value: int, info: ValidationInfo) -> int:
        if value > 9:
            raise ValueError(f"{info.data['name']} goes too far")
        return value

    @computed_field
    @property
    def days(self) -> int:
        return self.end - self.start


class Team(BaseModel):
    team: str
    trips: List[Trip]


def refused(**values):
    try:
        Trip(**values)
    except ValidationError as error:
        return error.errors()[0]


trip = Trip(pair=(1, 4), name="  Ann ")
print(trip.model_dump_json())
print(list(Trip.model_fields))
try:
    trip.end = 9
except (TypeError, ValidationError):
    print("frozen")
print(refused(end=4, color="red")["loc"], refused(end=4, code="x")["loc"])
print(refused(start=4, end=2)["msg"].removeprefix("Value error, "))
print(refused(end=12)["msg"].removeprefix("Value error, "))
print(Team(team="x", trips=[{"end": 2}]).model_dump(
    exclude={"trips": {0: {"start", "end", "code"}}}))
numbers = TypeAdapter(List[int])
print(numbers.validate_python(["1", 2]), numbers.dump_json([1, 2]))
found = Trip.model_validate(SimpleNamespace(start=1, end=4, name="Dot",
                                            code="XY-2"))
print(found.name, found.days)


class Sale(BaseModel):
    price: Decimal
    at: datetime
    on: date


print(Sale(price="1.50", on="2025-01-02", at=datetime(
    2025, 1, 2, 3, 4, tzinfo=timezone.utc)).model_dump(mode="json"))


class Team(BaseModel):
    name: Annotated[str, Field(min_length=2, description="short")]
    tags: List[str] = Field(default_factory=list, max_length=2)
    marks: Optional[List[int]] = Field(None, min_length=1)
    count: int = 0

    def model_post_init(self, context: Any) -> None:
        self.count += len(self.tags)


class Squad(Team):
    def model_post_init(self, context: Any) -> None:
        super().model_post_init(context)
        self.count += 10


print(Squad(name="ab", tags=["long", "words"]).count,
      Squad.model_construct(count=3).count,
      sorted(Squad(name="ab").model_fields_set))
try:
    Squad(name="a", tags=["a", "b", "c"], marks=[])
except ValidationError as error:
    print(error.error_count(), [one["loc"][0] for one in
                                error.errors(include_url=False)])
print([(name, one.is_required(), one.description) for name, one in
       Squad.model_fields.items()][:2])
