# expect: success
# needs: cairosvg
# files-kinds: {"logo.png": "png"}
# cut
import cairosvg

svg = '''<svg xmlns="http://www.w3.org/2000/svg" width="100" height="60">
<rect width="100" height="60" fill="teal"/>
<text x="10" y="35" font-size="20" fill="white">Logo</text></svg>'''
cairosvg.svg2png(bytestring=svg.encode(), write_to='/mnt/data/logo.png')
