"""_template - the presentation that Presentation() begins with.

4:3, one master, the eleven usual layouts with their placeholders' places.
"""

from __future__ import annotations

import datetime

from ._package import (CORE_KIND, CORE_TYPE, KIND, OFFICE, PRESENTATION,
                       Package, Part)
from .oxml.ns import nsdecls

DECLARED = nsdecls("a", "r", "p")
_TREE = ('<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/>'
         '</p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/>'
         '<a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/>'
         '<a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>')
_MAP = ('<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>')
_COLORS = ("dk1=000000 lt1=FFFFFF dk2=1F497D lt2=EEECE1 accent1=4F81BD "
           "accent2=C0504D accent3=9BBB59 accent4=8064A2 accent5=4BACC6 "
           "accent6=F79646 hlink=0000FF folHlink=800080")
_ENDS = {"dt": (457200, 6356350, 2133600, 365125),
         "ftr": (3124200, 6356350, 2895600, 365125),
         "sldNum": (6553200, 6356350, 2133600, 365125)}
_TITLE = ("title", 0, None, "Title")
_HALF = (457200, 1600200, 4038600, 4525963)

# name, kind, and placeholders: type, idx, place, name (and more)
_LAYOUTS = [
    ("Title Slide", "title", [
        ("ctrTitle", 0, (685800, 2130425, 7772400, 1470025), "Title"),
        ("subTitle", 1, (1371600, 3886200, 6400800, 1752600), "Subtitle",
         "center")]),
    ("Title and Content", "obj", [
        _TITLE, ("obj", 1, None, "Content Placeholder")]),
    ("Section Header", "secHead", [
        ("title", 0, (722313, 4406900, 7772400, 1362075), "Title", "section"),
        ("body", 1, (722313, 2906713, 7772400, 1500187), "Text Placeholder",
         "grey")]),
    ("Two Content", "twoObj", [
        _TITLE, ("obj", 1, _HALF, "Content Placeholder", "half"),
        ("obj", 2, (4648200, *_HALF[1:]), "Content Placeholder", "half")]),
    ("Comparison", "twoTxTwoObj", [
        _TITLE,
        ("body", 1, (457200, 1535113, 4040188, 639762), "Text Placeholder",
         "head"),
        ("obj", 2, (457200, 2174875, 4040188, 3951288),
         "Content Placeholder", "half"),
        ("body", 3, (4645025, 1535113, 4041775, 639762), "Text Placeholder",
         "head"),
        ("obj", 4, (4645025, 2174875, 4041775, 3951288),
         "Content Placeholder", "half")]),
    ("Title Only", "titleOnly", [_TITLE]),
    ("Blank", "blank", []),
    ("Content with Caption", "objTx", [
        ("title", 0, (457200, 273050, 3008313, 1162050), "Title", "caption"),
        ("obj", 1, (3575050, 273050, 5111750, 5853113),
         "Content Placeholder"),
        ("body", 2, (457200, 1435100, 3008313, 4691063), "Text Placeholder",
         "small")]),
    ("Picture with Caption", "picTx", [
        ("title", 0, (1792288, 4800600, 5486400, 566738), "Title", "caption"),
        ("pic", 1, (1792288, 612775, 5486400, 4114800),
         "Picture Placeholder"),
        ("body", 2, (1792288, 5367338, 5486400, 804862), "Text Placeholder",
         "small")]),
    ("Title and Vertical Text", "vertTx", [
        _TITLE, ("body", 1, None, "Vertical Text Placeholder", "vert")]),
    ("Vertical Title and Text", "vertTitleAndTx", [
        ("title", 0, (6629400, 274638, 2057400, 5851525), "Vertical Title",
         "vert"),
        ("body", 1, (457200, 274638, 6019800, 5851525),
         "Vertical Text Placeholder", "vert")]),
]


def _levels(sizes: tuple[int, ...], more: str = "", inside: str = "",
            indent: bool = False) -> str:
    out = []
    for level, size in enumerate(sizes, 1):
        left = f' marL="{(level - 1) * 457200}" indent="0"' if indent else ""
        out.append(f'<a:lvl{level}pPr{left}{more}>'
                   + ("<a:buNone/>" if indent else "")
                   + f'<a:defRPr sz="{size}">{inside}</a:defRPr>'
                   f'</a:lvl{level}pPr>')
    return "".join(out)


_GREY = ('<a:solidFill><a:schemeClr val="tx1"><a:tint val="75000"/>'
         '</a:schemeClr></a:solidFill>')
_STYLES = {
    "center": ("", _levels((3200, 2800, 2400, 2000, 2000), ' algn="ctr"',
                           _GREY, True)),
    "grey": (' anchor="b"', _levels((2000, 1800, 1600, 1400, 1400), "",
                                    _GREY, True)),
    "section": (' anchor="t"', '<a:lvl1pPr algn="l"><a:defRPr sz="4000" b="1" '
                'cap="all"/></a:lvl1pPr>'),
    "half": ("", _levels((2800, 2400, 2000, 1800, 1800))),
    "head": (' anchor="b"', _levels((2400, 2000, 1800, 1600, 1600), "", "",
                                    True).replace('sz=', 'b="1" sz=')),
    "caption": (' anchor="b"', '<a:lvl1pPr algn="l"><a:defRPr sz="2000" '
                'b="1"/></a:lvl1pPr>'),
    "small": ("", _levels((1400, 1200, 1000, 900, 900), "", "", True)),
    "vert": (' vert="eaVert"', ""),
    "": ("", ""),
}
_ATTRIBUTES = {"half": ' sz="half"', "vert": ' orient="vert"'}


def _placeholder(number: int, kind: str, idx: int, place: tuple | None,
                 name: str, style: str = "", master: bool = False) -> str:
    words = {"dt": "", "ftr": "", "sldNum": "‹#›"}.get(
        kind, "Click to edit the text")
    attributes = "" if kind == "obj" and not master else f' type="{kind}"'
    attributes += _ATTRIBUTES.get(style, "")
    if kind in _ENDS:
        attributes += {"dt": ' sz="half"', "ftr": ' sz="quarter"',
                       "sldNum": ' sz="quarter"'}[kind]
    attributes += f' idx="{idx}"' if idx else ""
    where = "" if place is None else (
        '<a:xfrm><a:off x="%d" y="%d"/><a:ext cx="%d" cy="%d"/></a:xfrm>'
        % place)
    if master:
        where += '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
    body, levels = _STYLES[style]
    if master:
        body = ' lIns="91440" tIns="45720" rIns="91440" bIns="45720" ' \
            'anchor="%s"' % ("t" if kind == "body" else "ctr")
        if kind in _ENDS:
            side = {"dt": "l", "ftr": "ctr", "sldNum": "r"}[kind]
            levels = f'<a:lvl1pPr algn="{side}"><a:defRPr sz="1200">' \
                f'{_GREY}</a:defRPr></a:lvl1pPr>'
    return (f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name} '
            f'{number - 1}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
            f'<p:nvPr><p:ph{attributes}/></p:nvPr></p:nvSpPr><p:spPr>{where}'
            f'</p:spPr><p:txBody><a:bodyPr{body}>'
            + ('<a:normAutofit/>' if master and kind not in _ENDS else '')
            + f'</a:bodyPr><a:lstStyle>{levels}'
            '</a:lstStyle><a:p>' + _words(kind, words) + '</a:p></p:txBody>'
            '</p:sp>')


def _words(kind: str, words: str) -> str:
    if kind == "sldNum":
        return ('<a:fld id="{C1FF6DA9-008F-8B48-92A6-B652298478BF}" '
                f'type="slidenum"><a:rPr lang="en-US"/><a:t>{words}</a:t>'
                '</a:fld>')
    return f'<a:r><a:rPr lang="en-US"/><a:t>{words}</a:t></a:r>' \
        if words else '<a:endParaRPr lang="en-US"/>'


def _ends(number: int, idx: int, master: bool = False) -> str:
    names = ("Date Placeholder", "Footer Placeholder",
             "Slide Number Placeholder")
    return "".join(_placeholder(number + at, kind, idx + at,
                                place if master else None, name, "", master)
                   for at, ((kind, place), name)
                   in enumerate(zip(_ENDS.items(), names)))


def _layout(name: str, kind: str, placeholders: list) -> str:
    shapes = "".join(_placeholder(number, *one)
                     for number, one in enumerate(placeholders, 2))
    shapes += _ends(len(placeholders) + 2, 10)
    return (f'<p:sldLayout {DECLARED} type="{kind}" preserve="1">'
            f'<p:cSld name="{name}"><p:spTree>{_TREE}{shapes}</p:spTree>'
            f'</p:cSld>{_MAP}</p:sldLayout>')


def _text_styles() -> str:
    fill = '<a:solidFill><a:schemeClr val="tx1"/></a:solidFill>'
    fonts = '<a:latin typeface="+m%s-lt"/><a:ea typeface="+m%s-ea"/>' \
        '<a:cs typeface="+m%s-cs"/>'
    body, other = "", ""
    for level in range(1, 10):
        size = (3200, 2800, 2400, 2000)[min(level, 4) - 1]
        left = 342900 if level == 1 else 742950 if level == 2 else \
            228600 + 457200 * (level - 1)
        hang = {1: -342900, 2: -285750}.get(level, -228600)
        mark = "»" if level == 5 else "–" if level in (2, 4) else "•"
        body += (f'<a:lvl{level}pPr marL="{left}" indent="{hang}" algn="l" '
                 'defTabSz="457200" rtl="0" eaLnBrk="1" latinLnBrk="0" '
                 'hangingPunct="1"><a:spcBef><a:spcPct val="20000"/>'
                 f'</a:spcBef><a:buFont typeface="Arial"/><a:buChar '
                 f'char="{mark}"/><a:defRPr sz="{size}" kern="1200">{fill}'
                 f'{fonts % (("n",) * 3)}</a:defRPr></a:lvl{level}pPr>')
        other += (f'<a:lvl{level}pPr marL="{(level - 1) * 457200}" algn="l" '
                  'defTabSz="457200" rtl="0" eaLnBrk="1" latinLnBrk="0" '
                  f'hangingPunct="1"><a:defRPr sz="1800" kern="1200">{fill}'
                  f'{fonts % (("n",) * 3)}</a:defRPr></a:lvl{level}pPr>')
    title = ('<a:lvl1pPr algn="ctr" defTabSz="457200" rtl="0" eaLnBrk="1" '
             'latinLnBrk="0" hangingPunct="1"><a:spcBef><a:spcPct val="0"/>'
             f'</a:spcBef><a:buNone/><a:defRPr sz="4400" kern="1200">{fill}'
             f'{fonts % (("j",) * 3)}</a:defRPr></a:lvl1pPr>')
    return (f'<p:titleStyle>{title}</p:titleStyle><p:bodyStyle>{body}'
            f'</p:bodyStyle><p:otherStyle>{other}</p:otherStyle>'), other


_BACK = ('<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>')
_COLOR_MAP = ('<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" '
              + " ".join(f'accent{n}="accent{n}"' for n in range(1, 7))
              + ' hlink="hlink" folHlink="folHlink"/>')


def _master() -> str:
    shapes = _placeholder(2, "title", 0, (457200, 274638, 8229600, 1143000),
                          "Title Placeholder", "", True)
    shapes += _placeholder(3, "body", 1, (457200, 1600200, 8229600, 4525963),
                           "Text Placeholder", "", True)
    shapes += _ends(4, 2, True)
    listed = "".join(f'<p:sldLayoutId id="{2147483648 + n}" r:id="rId{n}"/>'
                     for n in range(1, len(_LAYOUTS) + 1))
    return (f'<p:sldMaster {DECLARED}><p:cSld>{_BACK}<p:spTree>{_TREE}'
            f'{shapes}</p:spTree></p:cSld>{_COLOR_MAP}<p:sldLayoutIdLst>'
            f'{listed}</p:sldLayoutIdLst><p:txStyles>{_text_styles()[0]}'
            '</p:txStyles></p:sldMaster>')


def theme() -> bytes:
    colors = "".join(f'<a:{one[:-7]}><a:srgbClr val="{one[-6:]}"/>'
                     f'</a:{one[:-7]}>' for one in _COLORS.split())
    font = '<a:latin typeface="Calibri"/><a:ea typeface=""/>' \
        '<a:cs typeface=""/>'
    solid = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    shades = "".join(
        '<a:gradFill rotWithShape="1"><a:gsLst>'
        f'<a:gs pos="0"><a:schemeClr val="phClr"><a:tint val="{tint}"/>'
        '<a:satMod val="130000"/></a:schemeClr></a:gs><a:gs pos="100000">'
        f'<a:schemeClr val="phClr"><a:shade val="{shade}"/>'
        '<a:satMod val="120000"/></a:schemeClr></a:gs></a:gsLst>'
        '<a:lin ang="5400000" scaled="0"/></a:gradFill>'
        for tint, shade in ((60000, 100000), (100000, 85000)))
    lines = "".join(f'<a:ln w="{width}" cap="flat" cmpd="sng" algn="ctr">'
                    f'{solid}<a:prstDash val="solid"/></a:ln>'
                    for width in (9525, 25400, 38100))
    shadow = ('<a:effectStyle><a:effectLst><a:outerShdw blurRad="40000" '
              'dist="23000" dir="5400000" rotWithShape="0"><a:srgbClr '
              'val="000000"><a:alpha val="35000"/></a:srgbClr></a:outerShdw>'
              '</a:effectLst></a:effectStyle>') * 3
    return (f'<a:theme {nsdecls("a")} name="Office Theme"><a:themeElements>'
            f'<a:clrScheme name="Office">{colors}</a:clrScheme>'
            f'<a:fontScheme name="Office"><a:majorFont>{font}</a:majorFont>'
            f'<a:minorFont>{font}</a:minorFont></a:fontScheme>'
            f'<a:fmtScheme name="Office"><a:fillStyleLst>{solid}{shades}'
            f'</a:fillStyleLst><a:lnStyleLst>{lines}</a:lnStyleLst>'
            f'<a:effectStyleLst>{shadow}</a:effectStyleLst>'
            f'<a:bgFillStyleLst>{solid}{shades}</a:bgFillStyleLst>'
            '</a:fmtScheme></a:themeElements></a:theme>').encode()


def _presentation() -> str:
    return (f'<p:presentation {DECLARED} saveSubsetFonts="1" '
            'autoCompressPictures="0"><p:sldMasterIdLst><p:sldMasterId '
            'id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldSz '
            'cx="9144000" cy="6858000" type="screen4x3"/>'
            '<p:notesSz cx="6858000" cy="9144000"/><p:defaultTextStyle>'
            f'{_text_styles()[1]}</p:defaultTextStyle></p:presentation>')


def core(package: Package, title: str) -> Part:
    """The part of docProps, which the package gets."""
    now = datetime.datetime.now(datetime.timezone.utc)
    stamp = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    text = (f'<cp:coreProperties {nsdecls("cp", "dc", "dcterms", "xsi")}>'
            f'<dc:title>{title}</dc:title>'
            '<cp:revision>1</cp:revision>'
            f'<dcterms:created xsi:type="dcterms:W3CDTF">{stamp}'
            '</dcterms:created>'
            f'<dcterms:modified xsi:type="dcterms:W3CDTF">{stamp}'
            '</dcterms:modified></cp:coreProperties>')
    part = package.add("/docProps/core.xml", CORE_KIND, text.encode())
    package.relate_to(part, CORE_TYPE)
    return part


def template() -> Package:
    package = Package()

    def add(name: str, kind: str, text: str) -> Part:
        return package.add("/ppt/" + name, PRESENTATION + kind + "+xml",
                           text.encode())

    main = add("presentation.xml", "presentation.main", _presentation())
    package.relate_to(main, OFFICE + "officeDocument")
    core(package, "PowerPoint Presentation")
    master = add("slideMasters/slideMaster1.xml", "slideMaster", _master())
    main.relate_to(master, OFFICE + "slideMaster")
    for number, one in enumerate(_LAYOUTS, 1):
        layout = add(f"slideLayouts/slideLayout{number}.xml", "slideLayout",
                     _layout(*one))
        master.relate_to(layout, OFFICE + "slideLayout")
        layout.relate_to(master, OFFICE + "slideMaster")
    look = package.add("/ppt/theme/theme1.xml", KIND + "theme+xml", theme())
    master.relate_to(look, OFFICE + "theme")
    main.relate_to(look, OFFICE + "theme")
    styles = add("tableStyles.xml", "tableStyles",
                 f'<a:tblStyleLst {nsdecls("a")} '
                 'def="{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"/>')
    main.relate_to(styles, OFFICE + "tableStyles")
    return package


def notes_master(package: Package, main: Part) -> Part:
    """The master of notes, which comes with the first notes."""
    shapes = "".join(
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name} {number - 1}"/>'
        f'<p:cNvSpPr><a:spLocks noGrp="1"{more}/></p:cNvSpPr><p:nvPr><p:ph '
        f'type="{kind}" idx="{number}"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm>'
        f'<a:off x="{x}" y="{y}"/><a:ext cx="{w}" cy="{h}"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>' + (
            '<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr '
            'lang="en-US"/></a:p></p:txBody>' if kind == "body" else "")
        + '</p:sp>'
        for number, kind, name, more, x, y, w, h in (
            (2, "sldImg", "Slide Image Placeholder",
             ' noRot="1" noChangeAspect="1"', 685800, 1143000, 5486400,
             3086100),
            (3, "body", "Notes Placeholder", "", 685800, 4400550, 5486400,
             3600450)))
    text = (f'<p:notesMaster {DECLARED}><p:cSld>{_BACK}<p:spTree>{_TREE}'
            f'{shapes}</p:spTree></p:cSld>{_COLOR_MAP}</p:notesMaster>')
    part = package.add("/ppt/notesMasters/notesMaster1.xml",
                       PRESENTATION + "notesMaster+xml", text.encode())
    look = package.add(package.free_name("/ppt/theme/theme%d.xml"),
                       KIND + "theme+xml", theme())
    part.relate_to(look, OFFICE + "theme")
    return part


def slide(kind: str, shapes: str) -> bytes:
    return (f'<p:{kind} {DECLARED}><p:cSld><p:spTree>{_TREE}{shapes}'
            f'</p:spTree></p:cSld>{_MAP}</p:{kind}>').encode()
