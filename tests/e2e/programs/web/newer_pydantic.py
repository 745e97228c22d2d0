# Names of pydantic 2.
# expect: success
# needs: pydantic
# final: [{"name": "Ann", "age": 30}, "{\"name\":\"Ann\",\"age\":30}", 31, true,
#    ["name", "age"], "Bob"]
# cut
from pydantic import BaseModel, Field, ValidationError, field_validator


class User(BaseModel):
    name: str = Field(min_length=1)
    age: int = Field(ge=0)

    @field_validator("name")
    @classmethod
    def cap(cls, value: str) -> str:
        return value.strip().title()


user = User.model_validate({"name": " ann ", "age": "30"})
try:
    User(name="", age=-1)
    refused = False
except ValidationError as error:
    refused = len(error.errors()) == 2
[user.model_dump(), user.model_dump_json(), user.model_copy(
    update={"age": 31}).age, refused,
 list(User.model_json_schema()["properties"]),
 User.model_validate_json('{"name": "bob", "age": 1}').name]
