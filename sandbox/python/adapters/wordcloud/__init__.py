"""wordcloud - pictures of the most frequent words, the larger the more often.

WordCloud with masks, contours, colours, pairs of words and all its options;
pictures by PIL. Without a font_path the font is DejaVu Sans, and WenQuanYi for
Chinese, Japanese and Korean. It does not write SVG.
"""

from __future__ import annotations

from .cloud import WordCloud
from .colors import (ImageColorGenerator, get_single_color_func,
                     random_color_func)
from .words import STOPWORDS

__version__ = "1.9.3"
__all__ = ["WordCloud", "STOPWORDS", "random_color_func",
           "get_single_color_func", "ImageColorGenerator", "__version__"]
