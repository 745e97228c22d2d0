"""What all barcodes do: save, write and render."""

from __future__ import annotations

from .writer import BaseWriter, SVGWriter

from typing import Any, ClassVar, Optional


class Barcode:
    """A code with its bars; a writer makes a picture of it."""

    name = ""
    digits = 0
    default_writer = SVGWriter
    default_writer_options: ClassVar[dict[str, Any]] = {
        "module_width": 0.2, "module_height": 15.0, "quiet_zone": 6.5,
        "font_size": 10, "text_distance": 5.0, "background": "white",
        "foreground": "black", "write_text": True, "text": ""}
    own_options: ClassVar[dict[str, Any]] = {}
    writer: BaseWriter

    def to_ascii(self) -> str:
        code_list = self.build()
        return code_list[0].replace("1", "X").replace("0", " ")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}({self.get_fullcode()!r})>"

    def build(self) -> list[str]:
        """One text: 1 for a dark module, 0 for a light one."""
        raise NotImplementedError

    def get_fullcode(self) -> str:
        """The text below the bars."""
        raise NotImplementedError

    def save(self, filename: Any, options: Optional[dict[str, Any]] = None,
             text: Optional[str] = None) -> str:
        """Write a file and return its name: FILENAME with an extension."""
        return self.writer.save(filename, self.render(options, text))

    def write(self, fp: Any, options: Optional[dict[str, Any]] = None,
              text: Optional[str] = None) -> None:
        """Write the picture into the open file FP."""
        self.writer.write(self.render(options, text), fp)

    def render(self, writer_options: Optional[dict[str, Any]] = None,
               text: Optional[str] = None) -> Any:
        """The picture: bytes of SVG, or an image of Pillow."""
        options = {**self.default_writer_options, **self.own_options,
                   **(writer_options or {})}
        if options["write_text"] or text is not None:
            options["text"] = self.get_fullcode() if text is None else text
        self.writer.set_options(options)
        return self.writer.render(self.build())
