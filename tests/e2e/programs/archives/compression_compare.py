# expect: success
# needs: zstandard brotli lz4
# stdout: "gzip True True\nbz2 True True\nlzma True True\nzlib True True\nbrotli True True\nlz4 True True\nzstd True True\n"
# cut
import bz2, gzip, lzma, zlib
import brotli
import lz4.frame
import zstandard as zstd

data = b"the quick brown fox " * 500
for name, pack, unpack in [
        ("gzip", gzip.compress, gzip.decompress),
        ("bz2", bz2.compress, bz2.decompress),
        ("lzma", lzma.compress, lzma.decompress),
        ("zlib", zlib.compress, zlib.decompress),
        ("brotli", brotli.compress, brotli.decompress),
        ("lz4", lz4.frame.compress, lz4.frame.decompress),
        ("zstd", zstd.ZstdCompressor().compress,
         zstd.ZstdDecompressor().decompress)]:
    packed = pack(data)
    print(name, len(packed) < 300, unpack(packed) == data)
