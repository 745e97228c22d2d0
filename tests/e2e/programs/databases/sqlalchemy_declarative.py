# Classes as sqlalchemy 2 has them, also with Debian 12's 1.4.
# needs: sqlalchemy
# expect: success
# stdout: "ann None 2001-02-03 [('a@x', True), ('b@y', False)]\nbob bb None []\n1 ann admin\n"
# final: [["ann", 2], ["bob", 0]]
# cut
import datetime
import enum
from typing import Annotated, List, Optional

from sqlalchemy import ForeignKey, String, create_engine, func, select, text
from sqlalchemy.orm import (DeclarativeBase, Mapped, Session, mapped_column,
                            relationship)

key = Annotated[int, mapped_column(primary_key=True)]


class Role(enum.Enum):
    admin = 1
    guest = 2


class Base(DeclarativeBase):
    pass


class User(Base):
    __tablename__ = "users"

    id: Mapped[key]
    name: Mapped[str] = mapped_column(String(30), unique=True)
    nick: Mapped[Optional[str]]
    born: Mapped[datetime.date | None] = mapped_column(default=None)
    role: Mapped[Role] = mapped_column(default=Role.guest)
    addresses: Mapped[List["Address"]] = relationship(
        back_populates="user", cascade="all, delete-orphan",
        order_by="Address.email")

    def __repr__(self) -> str:
        return f"User({self.name!r})"


class Address(Base):
    __tablename__ = "addresses"

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str]
    main: Mapped[bool] = mapped_column(default=False)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    user: Mapped["User"] = relationship(back_populates="addresses")


engine = create_engine("sqlite://")
Base.metadata.create_all(engine)
assert not User.__table__.c.name.nullable and User.__table__.c.nick.nullable
with Session(engine) as session:
    session.add_all([
        User(name="ann", born=datetime.date(2001, 2, 3), role=Role.admin,
             addresses=[Address(email="b@y"), Address(email="a@x", main=True)]),
        User(name="bob", nick="bb")])
    session.commit()
    for user in session.scalars(select(User).order_by(User.name)):
        print(user.name, user.nick, user.born,
              [(one.email, one.main) for one in user.addresses])
    first = session.scalars(select(User).where(User.role == Role.admin)).one()
    print(first.id, first.addresses[0].user.name, first.role.name)
    counts = session.execute(
        select(User.name, func.count(Address.id)).outerjoin(User.addresses)
        .group_by(User.name).order_by(User.name)).all()
with engine.connect() as connection:
    connection.execute(text("DELETE FROM addresses"))
    connection.commit()
    assert connection.execute(text("SELECT count(*) FROM addresses")).scalar_one() == 0
[list(row) for row in counts]
