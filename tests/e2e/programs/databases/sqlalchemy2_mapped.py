# expect: failure
# needs: sqlalchemy
# error: ImportError
# told: "sqlalchemy 1.4"
# without: python:3.12
# cut
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

class Base(DeclarativeBase):
    pass

class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]

engine = create_engine("sqlite://")
Base.metadata.create_all(engine)
with Session(engine) as s:
    s.add(User(name="Ann"))
    s.commit()
    print(s.scalars(select(User.name)).all())
