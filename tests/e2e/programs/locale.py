# expect: success
# final: ["utf-8", "utf-8", "utf-8", "1.5"]
import codecs
import locale
import sys
[codecs.lookup(locale.getpreferredencoding()).name,
 sys.getfilesystemencoding(), sys.stdout.encoding.lower(), str(1.5)]
