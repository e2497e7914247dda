"""A kite module."""


def fly(height, *, speed=1):
    """A kite that flies.

    A kite paragraph of a docstring.

    Parameters
    ----------
    height : int
        A kite height.
    speed : float
        A kite speed.

    Returns
    -------
    str
        A kite that has flown.

    Raises
    ------
    ValueError
        A kite that is too high.

    Notes
    -----
    A kite note.

    Examples
    --------
    A kite example.

    >>> 1 + 1
    2
    """


class Line:
    """A kite line.

    Attributes
    ----------
    length
        A kite length.
    """

    def cut(self):
        """Cut a kite."""
