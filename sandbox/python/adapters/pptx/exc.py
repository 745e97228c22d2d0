"""exc - the exceptions of the package."""


class PythonPptxError(Exception):
    """The first of them."""


class PackageNotFoundError(PythonPptxError):
    """There is no presentation at the path."""


class InvalidXmlError(PythonPptxError):
    """A part has XML that cannot be understood."""
