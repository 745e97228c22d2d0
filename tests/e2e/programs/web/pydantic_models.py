# expect: success
# needs: pydantic
# stdout: "3.5\n1\n"
# cut
from pydantic import BaseModel, Field, ValidationError

class Item(BaseModel):
    name: str
    price: float = Field(gt=0)
    tags: list[str] = []

print(Item(name='x', price='3.5').price)
try:
    Item(name='y', price=-1)
except ValidationError as e:
    print(e.error_count() if hasattr(e, 'error_count') else len(e.errors()))
