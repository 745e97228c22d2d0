# docutils looks for its settings in the working directory: no warning tells of
# a missing file.
# expect: success
# needs: docutils
# final: 2
# cut
from docutils.core import publish_parts

publish_parts("Title\n=====\n\n* a\n* b", writer_name="html5")[
    "html_body"].count("<li>")
