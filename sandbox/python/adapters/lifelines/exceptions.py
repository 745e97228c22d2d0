"""exceptions - what the fitters raise and warn of."""


class ConvergenceError(ValueError):
    """No best parameters were found."""


class ConvergenceWarning(RuntimeWarning):
    """The parameters may not be the best ones."""


class StatError(Exception):
    """The numbers make no sense."""


class StatisticalWarning(RuntimeWarning):
    """The numbers may make no sense."""
