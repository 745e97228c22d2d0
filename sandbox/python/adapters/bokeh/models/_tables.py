"""tables - the classes of models: their parents, properties and defaults."""

from __future__ import annotations

from typing import Any

from .._base import Model, declared

_TABLE = """
Glyph: decorations=[]
Line<Glyph: x=Field(x) y=Field(y) @line
Scatter<Glyph: x=Field(x) y=Field(y) size=4.0 angle=0.0 angle_units=rad
    marker=circle hit_dilation=1.0 @line @fill @hatch
Circle<Glyph: x=Field(x) y=Field(y) radius radius_units=data
    radius_dimension=x size angle=0.0 hit_dilation=1.0 @line @fill @hatch
VBar<Glyph: x width=1.0 bottom=0 top border_radius=0 @line @fill @hatch
HBar<Glyph: y height=1.0 left=0 right border_radius=0 @line @fill @hatch
Quad<Glyph: left right bottom top border_radius=0 @line @fill @hatch
Rect<Glyph: x y width height angle=0.0 angle_units=rad width_units=data
    height_units=data dilate=False border_radius=0 @line @fill @hatch
Block<Glyph: x y width=1 height=1 border_radius=0 @line @fill @hatch
Patch<Glyph: x y @line @fill @hatch
Patches<Glyph: xs ys @line @fill @hatch
MultiLine<Glyph: xs ys @line
VArea<Glyph: x y1 y2 @fill @hatch
HArea<Glyph: y x1 x2 @fill @hatch
VAreaStep<Glyph: x y1 y2 step_mode=before @fill @hatch
Step<Glyph: x y mode=before @line
Segment<Glyph: x0 y0 x1 y1 @line
Ray<Glyph: x y length=0 angle=0.0 angle_units=rad @line
Text<Glyph: x y text angle=0.0 angle_units=rad x_offset=0 y_offset=0
    anchor=auto padding=0 border_radius=0 outline_shape=box @text
    @background_fill @background_hatch @border_line
Wedge<Glyph: x y radius start_angle end_angle start_angle_units=rad
    end_angle_units=rad radius_units=data direction=anticlock @line @fill
    @hatch
AnnularWedge<Glyph: x y inner_radius outer_radius start_angle end_angle
    start_angle_units=rad end_angle_units=rad direction=anticlock @line @fill
    @hatch
Annulus<Glyph: x y inner_radius outer_radius @line @fill @hatch
Arc<Glyph: x y radius start_angle end_angle start_angle_units=rad
    end_angle_units=rad direction=anticlock @line
Ellipse<Glyph: x y width height angle=0.0 angle_units=rad @line @fill @hatch
Image<Glyph: image x y dw dh global_alpha=1.0 dilate=False origin=bottom_left
    anchor=bottom_left color_mapper
ImageRGBA<Glyph: image x y dw dh global_alpha=1.0 dilate=False
    origin=bottom_left anchor=bottom_left
Renderer: visible=True level x_range_name=default y_range_name=default
    coordinates group propagate_hover=False context_menu html_attributes={}
GlyphRenderer<Renderer: data_source view glyph hover_glyph nonselection_glyph
    selection_glyph muted_glyph muted=False
DataSource: selected
CDSView: filter
Filter:
AllIndices<Filter:
BooleanFilter<Filter: booleans
IndexFilter<Filter: indices
GroupFilter<Filter: column_name group
InversionFilter<Filter: operand
IntersectionFilter<Filter: operands=[]
UnionFilter<Filter: operands=[]
CustomJSFilter<Filter: args={} code=
Selection: indices=[] line_indices=[] multiline_indices={}
Range:
Range1d<Range: start=0 end=1 reset_start reset_end bounds min_interval
    max_interval
DataRange1d<Range: start end reset_start reset_end bounds min_interval
    max_interval range_padding=0.1 range_padding_units=percent flipped=False
    follow follow_interval default_span=2.0 only_visible=False renderers=[]
FactorRange<Range: factors=[] factor_padding=0.0 subgroup_padding=0.8
    group_padding=1.4 range_padding=0 range_padding_units=percent start end
    bounds min_interval max_interval
Scale:
LinearScale<Scale:
LogScale<Scale:
CategoricalScale<Scale:
Axis<Renderer: axis_label axis_label_standoff=5 axis_label_orientation=normal
    axis_label_align=center
    @axis_label_text @axis_line @major_tick_line major_tick_in=2
    major_tick_out=6 @minor_tick_line minor_tick_in=0 minor_tick_out=4 ticker
    formatter major_label_orientation=horizontal major_label_overrides={}
    major_label_standoff=5 major_label_policy bounds=auto fixed_location
    @major_label_text dimension=auto face=auto @background_fill
LinearAxis<Axis:
LogAxis<Axis:
DatetimeAxis<Axis:
MercatorAxis<Axis:
CategoricalAxis<Axis: @separator_line @group_text group_label_orientation
    @subgroup_text subgroup_label_orientation
Grid<Renderer: dimension=0 axis ticker bounds=auto cross_bounds=auto
    @grid_line @minor_grid_line @band_fill @band_hatch
Annotation<Renderer:
Legend<Annotation: location=top_right orientation=vertical ncols=auto
    nrows=auto title title_location=above title_standoff=5 @title_text
    @border_line @background_fill @inactive_fill @background_hatch
    @item_background_fill click_policy=none
    @label_text label_standoff=5 label_width=20 label_height=auto
    glyph_width=20 glyph_height=20 margin=10 padding=10 spacing=3 items=[]
    item_background_policy=none border_radius=0
LegendItem: label renderers=[] index visible=True
ColorBar<Annotation: location=top_right orientation=auto height=auto
    width=auto scale_alpha=1.0 title @title_text title_standoff=2 ticker=auto
    formatter=auto major_label_overrides={} major_label_policy
    color_mapper margin=30 padding=10 label_standoff=5 major_tick_in=5
    major_tick_out=0 minor_tick_in=0 minor_tick_out=0 display_low=None
    display_high=None @major_label_text @major_tick_line @minor_tick_line
    @bar_line @border_line @background_fill
Title<Annotation: text= vertical_align=bottom align=left text_line_height=1.0
    offset=0 standoff=10 @text @background_fill @background_hatch @border_line
Label<Annotation: x=0 x_units=data y=0 y_units=data text= angle=0.0
    angle_units=rad x_offset=0.0 y_offset=0.0 anchor=auto padding=0
    border_radius=0 direction=anticlock editable=False @text @background_fill
    @background_hatch @border_line
LabelSet<Annotation: x=Field(x) x_units=data y=Field(y) y_units=data
    text=Field(text) angle=0.0 x_offset=0.0 y_offset=0.0 source @text
    @background_fill @border_line
Span<Annotation: location dimension=width location_units=data editable=False
    line_color=black @line @hover_line
HSpan<Glyph: y @line
VSpan<Glyph: x @line
BoxAnnotation<Annotation: left right top bottom left_units=data
    right_units=data top_units=data bottom_units=data border_radius=0
    editable=False resizable=all movable=both symmetric=False @line @fill
    @hatch
PolyAnnotation<Annotation: xs=[] ys=[] xs_units=data ys_units=data
    editable=False @line @fill @hatch
Slope<Annotation: gradient y_intercept @line above_fill_color
    above_fill_alpha=0.4 below_fill_color below_fill_alpha=0.4
Band<Annotation: base=Field(base) lower=Field(lower) upper=Field(upper)
    dimension=height source @line @fill
Whisker<Annotation: base=Field(base) lower=Field(lower) upper=Field(upper)
    lower_head upper_head dimension=height source @line
ArrowHead: size=25 @line @fill
OpenHead<ArrowHead:
NormalHead<ArrowHead:
VeeHead<ArrowHead:
TeeHead<ArrowHead:
Arrow<Annotation: x_start=Field(x_start) y_start=Field(y_start)
    x_end=Field(x_end) y_end=Field(y_end) start_units=data end_units=data
    start end source @line
ColorMapper: palette=[] nan_color=gray
CategoricalColorMapper<ColorMapper: factors=[] start=0 end
ContinuousColorMapper<ColorMapper: domain=[] low high low_color high_color
LinearColorMapper<ContinuousColorMapper:
LogColorMapper<ContinuousColorMapper:
EqHistColorMapper<ContinuousColorMapper: bins=65536
CategoricalMarkerMapper: markers=[] factors=[] start=0 end
    default_value=circle
CategoricalPatternMapper: patterns=[] factors=[] start=0 end default_value= 
Transform:
Dodge<Transform: value=0.0 range
Jitter<Transform: mean=0 width=1 distribution=uniform range
CustomJSTransform<Transform: args={} func= v_func=
Expression:
CumSum<Expression: field include_zero=False
Stack<Expression: fields=[]
Ticker:
FixedTicker<Ticker: ticks=[] minor_ticks=[]
BasicTicker<Ticker: desired_num_ticks=6 num_minor_ticks=5 base=10.0
    mantissas=[1,2,5] min_interval=0.0 max_interval
AdaptiveTicker<BasicTicker:
SingleIntervalTicker<Ticker: interval desired_num_ticks=6 num_minor_ticks=5
LogTicker<BasicTicker:
DatetimeTicker<BasicTicker:
CategoricalTicker<Ticker:
DaysTicker<Ticker: days=[] num_minor_ticks=0
MonthsTicker<Ticker: months=[]
YearsTicker<Ticker:
TickFormatter:
BasicTickFormatter<TickFormatter: precision=auto use_scientific=True
    power_limit_high=5 power_limit_low=-3
NumeralTickFormatter<TickFormatter: format=0,0 language=en rounding=round
PrintfTickFormatter<TickFormatter: format=%s
LogTickFormatter<TickFormatter: ticker min_exponent=0
CategoricalTickFormatter<TickFormatter:
DatetimeTickFormatter<TickFormatter: microseconds=%fus milliseconds=%3Nms
    seconds=%Ss minsec=:%M:%S minutes=:%M hourmin=%H:%M hours=%Hh days=%m/%d
    months=%m/%Y years=%Y strip_leading_zeros=False boundary_scaling=True
    context hide_repeats=False context_location=below context_which=start
CustomJSTickFormatter<TickFormatter: args={} code=
Tool: description visible=True icon
PanTool<Tool: dimensions=both
WheelZoomTool<Tool: dimensions=both maintain_focus=True zoom_on_axis=True
    speed=0.0016666666666666668 renderers=auto
WheelPanTool<Tool: dimension=width
BoxZoomTool<Tool: dimensions=both overlay match_aspect=False origin=corner
ZoomInTool<Tool: factor=0.1 dimensions=both
ZoomOutTool<Tool: factor=0.1 dimensions=both maintain_focus=True
ResetTool<Tool:
SaveTool<Tool: filename
UndoTool<Tool:
RedoTool<Tool:
HelpTool<Tool: redirect=
TapTool<Tool: renderers=auto behavior=select gesture=tap callback mode=toggle
BoxSelectTool<Tool: renderers=auto dimensions=both overlay mode=replace
LassoSelectTool<Tool: renderers=auto overlay mode=replace
PolySelectTool<Tool: renderers=auto overlay mode=replace
CrosshairTool<Tool: dimensions=both line_color=black line_alpha=1.0
    line_width=1 overlay=auto
HoverTool<Tool: renderers=auto callback tooltips=default formatters={}
    filters={} sort_by limit mode=mouse muted_policy=show
    point_policy=snap_to_data line_policy=nearest anchor attachment=horizontal
    show_arrow=True
PointDrawTool<Tool: renderers=[] add=True drag=True num_objects=0 empty_value
FreehandDrawTool<Tool: renderers=[] num_objects=0
RangeTool<Tool: x_range y_range x_interaction=True y_interaction=True overlay
    start_gesture=none
ActionTool<Tool:
CustomAction<Tool: callback active=False
Toolbar: logo=normal autohide=False tools=[] active_drag=auto
    active_inspect=auto active_scroll=auto active_tap=auto active_multi=auto
CustomJS: args={} code= module=auto
OpenURL: url=http:// same_tab=False
LayoutDOM: width height min_width min_height max_width max_height margin
    width_policy=auto height_policy=auto aspect_ratio flow_mode=block
    sizing_mode align=auto visible=True disabled=False resizable=False
    css_classes=[] styles={} stylesheets=[] css_variables={} context_menu
    elements=[] html_attributes={} html_id
Row<LayoutDOM: children=[] spacing=0 cols
Column<LayoutDOM: children=[] spacing=0 rows
GridBox<LayoutDOM: children=[] rows cols spacing=0
GridPlot<LayoutDOM: children=[] rows cols spacing=0 toolbar
    toolbar_location=above
Spacer<LayoutDOM:
TabPanel: title= child closable=False tooltip disabled=False
Tabs<LayoutDOM: tabs=[] tabs_location=above active=0
Widget<LayoutDOM:
Div<Widget: text= disable_math=False render_as_text=False
Paragraph<Widget: text= disable_math=False
PreText<Widget: text= disable_math=False
AbstractButton<Widget: label=Button icon button_type=default
Button<AbstractButton:
Toggle<AbstractButton: active=False
Dropdown<AbstractButton: split=False menu=[]
InputWidget<Widget: title= description
Select<InputWidget: options=[] value=
MultiSelect<InputWidget: options=[] value=[] size=4
MultiChoice<InputWidget: options=[] value=[] delete_button=True max_items
TextInput<InputWidget: value= value_input= placeholder= prefix suffix
    max_length
TextAreaInput<InputWidget: value= placeholder= cols=20 rows=2 max_length=500
AutocompleteInput<InputWidget: value= completions=[] placeholder=
NumericInput<InputWidget: value low high mode=int placeholder=
Spinner<InputWidget: value low high step=1 mode=int
ColorPicker<InputWidget: color=#000000
DatePicker<InputWidget: value min_date max_date disabled_dates enabled_dates
Slider<Widget: title= value value_throttled start end step=1 format
    show_value=True orientation=horizontal direction=ltr tooltips=True
    bar_color=#e6e6e6
RangeSlider<Slider:
DateSlider<Slider:
DateRangeSlider<Slider:
CheckboxGroup<Widget: labels=[] active=[] inline=False
RadioGroup<Widget: labels=[] active inline=False
CheckboxButtonGroup<Widget: labels=[] active=[] button_type=default
RadioButtonGroup<Widget: labels=[] active button_type=default
Switch<Widget: active=False
TableColumn: field title width=300 formatter editor sortable=True
    default_sort=ascending visible=True sorter
DataTable<Widget: source view columns=[] autosize_mode index_position=0
    index_header=# index_width=40 editable=False selectable=True sortable=True
    reorderable=True scroll_to_selection=True header_row=True row_height=25
    fit_columns frozen_rows frozen_columns auto_edit=False
CellFormatter:
StringFormatter<CellFormatter: font_style=normal text_align=left text_color
    nan_format=-
NumberFormatter<StringFormatter: format=0,0 language=en rounding=round
DateFormatter<StringFormatter: format=ISO-8601
HTMLTemplateFormatter<CellFormatter: template=
BooleanFormatter<CellFormatter: icon=check
CellEditor:
StringEditor<CellEditor: completions=[]
IntEditor<CellEditor: step=1
NumberEditor<CellEditor: step=0.01
SelectEditor<CellEditor: options=[]
DateEditor<CellEditor:
Plot<LayoutDOM: x_range y_range x_scale y_scale extra_x_ranges={}
    extra_y_ranges={} extra_x_scales={} extra_y_scales={} hidpi=True
    title title_location=above @outline_line renderers=[] toolbar
    toolbar_location=right toolbar_sticky=True toolbar_inner=False left=[]
    right=[] above=[] below=[] center=[] frame_width frame_height
    frame_align=True inner_width=0 inner_height=0 outer_width=0 outer_height=0
    @background_fill @background_hatch @border_fill @border_hatch
    min_border_top min_border_bottom min_border_left min_border_right
    min_border=5 lod_factor=10 lod_threshold=2000 lod_interval=300
    lod_timeout=500 output_backend=canvas match_aspect=False aspect_scale=1.0
    reset_policy=standard hold_render=False attribution=[] window_axis=none
    width=600 height=600
"""
# Where a class's own default of a property of a group is another one.
_OTHERS: dict[str, str] = {
    "Text": "text_color=#444444 background_fill_color=None "
            "border_line_color=None",
    "Grid": "grid_line_color=#e5e5e5 minor_grid_line_color=None "
            "band_fill_color=None level=underlay",
    "Axis": "axis_label_text_font_size=13px "
            "axis_label_text_font_style=italic "
            "major_label_text_font_size=11px major_label_text_align=center "
            "major_label_text_baseline=alphabetic "
            "background_fill_color=None level=overlay",
    "CategoricalAxis": "separator_line_color=lightgrey "
            "separator_line_width=2 group_text_color=grey "
            "group_text_font_size=11px group_text_font_style=bold "
            "subgroup_text_font_size=11px subgroup_text_font_style=bold",
    "Legend": "border_line_color=#e5e5e5 border_line_alpha=0.5 "
            "background_fill_color=#ffffff background_fill_alpha=0.95 "
            "inactive_fill_color=white inactive_fill_alpha=0.7 "
            "label_text_font_size=13px label_text_baseline=middle "
            "title_text_font_size=13px title_text_font_style=italic "
            "level=annotation",
    "ColorBar": "title_text_font_size=13px title_text_font_style=italic "
            "major_label_text_font_size=11px major_tick_line_color=#ffffff "
            "minor_tick_line_color=None bar_line_color=None "
            "border_line_color=None background_fill_color=#ffffff "
            "background_fill_alpha=0.95",
    "Title": "text_font_size=13px text_font_style=bold "
            "background_fill_color=None border_line_color=None",
    "Label": "background_fill_color=None border_line_color=None",
    "LabelSet": "background_fill_color=None border_line_color=None",
    "Span": "hover_line_color=None",
    "BoxAnnotation": "fill_color=#fff9ba fill_alpha=0.4 line_color=#cccccc "
            "line_alpha=0.3",
    "PolyAnnotation": "fill_color=#fff9ba fill_alpha=0.4 "
            "line_color=#cccccc line_alpha=0.3",
    "Band": "fill_color=#fff9ba fill_alpha=0.4 line_color=#cccccc "
            "line_alpha=0.3",
    "Plot": "outline_line_color=#e5e5e5 background_fill_color=#ffffff "
            "border_fill_color=#ffffff",
    "OpenHead": "fill_color=None", "NormalHead": "fill_color=black",
    "VeeHead": "fill_color=black", "TeeHead": "fill_color=None",
    "Patch": "fill_color=gray", "Glyph": "",
    "Whisker": "level=underlay",
}
_FREE = {"Glyph", "Whisker", "Band", "LabelSet", "Arrow", "ArrowHead"}


def _field(value: Any) -> Any:
    """`Field(x)` of a row: the column x."""
    if isinstance(value, str) and value.startswith("Field("):
        return value[6:-1]
    return value


def _make() -> dict[str, Any]:
    found: dict[str, Any] = {"Model": Model}
    for row in _TABLE.strip().replace("\n    ", " ").split("\n"):
        head, _, text = row.partition(":")
        name, _, parent = head.partition("<")
        base = found[parent or "Model"]
        one = type(name, (base,), {"__module__": "bokeh.models"})
        one._props = {**base._props, **{
            key: _field(value) for key, value in declared(
                text + " " + _OTHERS.get(name, "")).items()}}
        if name in _FREE:
            one._free_colors = True
        found[name] = one
    return found


CLASSES = _make()
