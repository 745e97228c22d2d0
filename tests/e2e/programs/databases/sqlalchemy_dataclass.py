# expect: failure
# needs: sqlalchemy
# error: ImportError
# told: "sqlalchemy 1.4"
# without: python:3.12
# cut
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, mapped_column

class Base(MappedAsDataclass, DeclarativeBase):
    pass

class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
