# expect: success
# needs: sqlalchemy
# stdout: "2\nN2\n"
# stderr-like: .*
# cut
from sqlalchemy import Column, ForeignKey, Integer, String, create_engine
from sqlalchemy.orm import declarative_base, relationship, sessionmaker

Base = declarative_base()

class Author(Base):
    __tablename__ = 'authors'
    id = Column(Integer, primary_key=True)
    name = Column(String)
    books = relationship('Book', back_populates='author')

class Book(Base):
    __tablename__ = 'books'
    id = Column(Integer, primary_key=True)
    title = Column(String)
    author_id = Column(Integer, ForeignKey('authors.id'))
    author = relationship('Author', back_populates='books')

engine = create_engine('sqlite:///:memory:')
Base.metadata.create_all(engine)
session = sessionmaker(bind=engine)()
session.add(Author(name='Ada', books=[Book(title='N1'), Book(title='N2')]))
session.commit()
print(session.query(Book).filter(Book.title.like('N%')).count())
print(session.query(Author).first().books[1].title)
