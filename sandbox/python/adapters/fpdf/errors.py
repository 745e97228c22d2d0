"""fpdf.errors - the exceptions of fpdf."""

from __future__ import annotations


class FPDFException(Exception):
    pass


class FPDFPageFormatException(FPDFException):
    def __init__(self, argument: object, unknown: bool = False,
                 one: bool = False) -> None:
        super().__init__()
        self.argument, self.unknown, self.one = argument, unknown, one

    def __str__(self) -> str:
        if self.unknown:
            return f"{type(self).__name__}: Unknown page format: " \
                f"{self.argument}"
        if self.one:
            return f"{type(self).__name__}: Only one argument given: " \
                f"{self.argument}"
        return f"{type(self).__name__}: {self.argument}"


class FPDFUnicodeEncodingException(FPDFException):
    """Text with a character that a core font has not."""

    def __init__(self, text_index: int, character: str,
                 font_name: str) -> None:
        super().__init__()
        self.text_index, self.character = text_index, character
        self.font_name = font_name

    def __str__(self) -> str:
        return (f'Character "{self.character}" at index {self.text_index} in '
                "text is outside the range of characters supported by the "
                f'font used: "{self.font_name}". Please consider using a '
                "Unicode font.")


class FPDFUnicodeException(FPDFException):
    pass
