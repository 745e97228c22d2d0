# Columns stand in the order of the class, also those that are annotations only.
# needs: sqlalchemy
# expect: success
# stdout: "id title year author_id note\n(1, 'Solaris', 1961, 2, None)\n"
# cut
from typing import Optional

from sqlalchemy import Column, ForeignKey, String, create_engine, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Author(Base):
    __tablename__ = "authors"
    id: Mapped[int] = mapped_column(primary_key=True)


class Book(Base):
    __tablename__ = "books"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    year: Mapped[Optional[int]]
    author_id: Mapped[int] = mapped_column(ForeignKey("authors.id"))
    note = Column(String(9))


print(*Book.__table__.columns.keys())
engine = create_engine("sqlite://")
Base.metadata.create_all(engine)
with engine.begin() as connection:
    connection.execute(text(
        "INSERT INTO books VALUES (1, 'Solaris', 1961, 2, NULL)"))
    print(connection.execute(text("SELECT * FROM books")).one())
