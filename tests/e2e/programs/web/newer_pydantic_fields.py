# field_serializer() and the validators in Annotated, as pydantic 2 has them.
# needs: pydantic
# expect: success
# stdout: "{'at': '01.05.2024', 'tags': ['x', 'y'], 'n': 4, 'price': '1.00', 'opt': None}\n{\"orders\":[{\"at\":\"01.05.2024\",\"tags\":[\"x\",\"y\"],\"n\":4,\"price\":\"1.00\",\"opt\":null}],\"ids\":[1,3],\"pay\":{\"kind\":\"cash\"}}\nTrue\n('n',) value_error Value error, odd\n('opt',) value_error Value error, odd\n('pay',) union_tag_invalid Input tag 'no' found using 'kind' does not match any of the expected tags: 'card', 'cash'\n"
# cut
from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Optional, Union

from pydantic import (AfterValidator, BaseModel, BeforeValidator, Field,
                      PlainSerializer, ValidationError, field_serializer)


def even(value: int) -> int:
    if value % 2:
        raise ValueError("odd")
    return value


def split(value):
    return value.split(",") if isinstance(value, str) else value


Even = Annotated[int, AfterValidator(even)]
Price = Annotated[float, PlainSerializer(lambda value: f"{value:.2f}",
                                         return_type=str)]


class Order(BaseModel):
    at: datetime
    tags: Annotated[list[str], BeforeValidator(split)] = []
    n: Even = 2
    price: Price = 1.0
    opt: Optional[Even] = None

    @field_serializer("at")
    def as_day(self, value: datetime, _info):
        return value.strftime("%d.%m.%Y")


class Card(BaseModel):
    kind: Literal["card"]


class Cash(BaseModel):
    kind: Literal["cash"]


class Report(BaseModel):
    orders: list[Order]
    ids: set[int] = {3, 1}
    pay: Union[Card, Cash] = Field(discriminator="kind")

    @field_serializer("ids", when_used="json")
    def in_order(self, value):
        return sorted(value)


def refused(model, **values):
    try:
        model(**values)
    except ValidationError as exc:
        for one in exc.errors():
            print(one["loc"], one["type"], one["msg"])


when = "2024-05-01T00:00:00"
order = Order(at=when, tags="x,y", n=4)
report = Report(orders=[order], pay={"kind": "cash"})
print(order.model_dump())
print(report.model_dump_json())
print(report.model_dump()["ids"] == {1, 3})
refused(Order, at=when, n=3)
refused(Order, at=when, opt=5)
refused(Report, orders=[], pay={"kind": "no"})
