/// A figure for a publication: panels below one another, drawn at the printed size.
///
/// ```swift
/// var panel = Figure.Panel(x: "Time (s)", y: "Heading (°)")
/// panel.lines = [Figure.Line("kalman", x: times, y: headings)]
/// try Figure([panel]).write(to: "heading.pdf")
/// ```
///
/// Sizes are in print: the width in millimetres, the font in points. Lines differ in colour, lightness and stroke, so
/// that a greyscale print is readable as well; the colours follow Okabe and Ito ("Color universal design", 2008),
/// which most colour-blind readers can distinguish. The output is deterministic.
public struct Figure: Sendable {
  /// The panels from top to bottom, with aligned left and right edges.
  public var panels: [Panel]
  /// The size, font and colours.
  public var style: Style
  /// A description of the figure for readers who cannot see it; it is not drawn.
  public var description = ""

  /// Creates a figure from panels from top to bottom, without a description.
  public init(_ panels: [Panel], style: Style = Style()) {
    self.panels = panels
    self.style = style
  }

  /// The size and appearance of a figure.
  public struct Style: Sendable, Equatable {
    /// The width in millimetres. Default: 89, a column of many journals; their full page is about 183.
    public var width = 89.0
    /// The height in millimetres, or `nil` for 42 for a single panel and less per panel for several.
    public var height: Double?
    /// The font size of all text, in points. Default: 8.
    public var fontSize = 8.0
    /// Whether to use shades of grey instead of colours.
    public var isGreyscale = false
    /// The resolution of a PNG in pixels per inch. Default: 300.
    public var dotsPerInch = 300.0

    /// Creates a style with the width of a journal's column, in colour.
    public init() {}
  }

  /// A diagram.
  public struct Panel: Sendable {
    /// The horizontal axis.
    public var x: Axis
    /// The vertical axis.
    public var y: Axis
    /// The title above the panel, left-aligned; empty for none.
    public var title = ""
    /// The lines in drawing order: the last one is on top.
    public var lines: [Line] = []
    /// The points, drawn above the lines.
    public var points: [Points] = []
    /// The areas, drawn below the lines, such as confidence regions.
    public var areas: [Area] = []
    /// The shaded intervals, drawn below all other elements.
    public var shades: [Shade] = []
    /// The vertical marks.
    public var marks: [Marks] = []
    /// Whether grid lines extend from the axes' ticks. Default: no.
    public var hasGrid = false
    /// Whether both axes have the same scale, as on a map. The axes then show more than the requested range if the
    /// panel has room, and the panel's height follows its contents. Both axes are linear. Default: no.
    public var hasEqualScale = false
    /// Whether an arrow shows that north is up. Default: no.
    public var hasNorthArrow = false
    /// The height of the panel relative to the others. Default: 1.
    public var weight = 1.0

    /// Creates an empty panel with the given axes.
    public init(x: Axis, y: Axis) { (self.x, self.y) = (x, y) }

    /// Creates a panel whose axes show all data.
    ///
    /// - Parameters:
    ///   - x: The label of the horizontal axis, with the unit in brackets.
    ///   - y: The label of the vertical axis, with the unit in brackets.
    public init(x: String, y: String) { self.init(x: Axis(x), y: Axis(y)) }
  }

  /// An axis of a panel.
  public struct Axis: Sendable, Equatable {
    /// The label, with the unit in brackets: `Heading (°)`.
    public var label: String
    /// The range, or `nil` for the range of the panel's data.
    public var range: ClosedRange<Double>?
    /// Whether the axis is logarithmic. Values that are not positive are then not drawn.
    public var isLogarithmic = false
    /// Whether the axis shows degrees, with ticks at multiples of 45 rather than 50.
    public var hasDegrees = false

    /// Creates an axis without degrees; a `range` of `nil` shows all of the panel's data.
    public init(_ label: String, range: ClosedRange<Double>? = nil, isLogarithmic: Bool = false) {
      (self.label, self.range, self.isLogarithmic) = (label, range, isLogarithmic)
    }
  }

  /// A line through points in their order. It is broken at NaN or infinite coordinates.
  ///
  /// If there are many points, only those that are visible in print are written: the first, last, lowest and highest
  /// point of each column of 1/300 inch.
  public struct Line: Sendable {
    /// The name in the legend; empty for no entry.
    public var name: String
    /// The x coordinates.
    public var x: [Double]
    /// The y coordinates, one for each x.
    public var y: [Double]
    /// The lower and upper edge of a band around the line, such as one standard deviation, with a value for each point,
    /// or `nil` for no band.
    public var band: (lower: [Double], upper: [Double])?
    /// The index of its colour and stroke, from 0, or `nil` for its index in the panel.
    public var styleIndex: Int?
    /// The line is broken where x increases by more than this, as a pause of the sensor is not a straight motion; `nil`
    /// for no limit.
    public var maximumGap: Double?
    /// The period of y for angles: the line is broken where y changes by more than half of it.
    public var period: Double?
    /// Whether the line is thinner, for a line that serves only as a comparison.
    public var isThin = false
    /// The tone of a line in an ordered set, such as time intervals, from 0, dark, to 1, light; the line is then solid,
    /// and its look is ignored. `nil` to use its look.
    public var tone: Double?

    /// Creates a line.
    ///
    /// - Precondition: `x` and `y` have the same count.
    public init(_ name: String, x: [Double], y: [Double], styleIndex: Int? = nil) {
      precondition(x.count == y.count, "a line has as many x as y, not \(x.count) and \(y.count)")
      (self.name, self.x, self.y, self.styleIndex) = (name, x, y, styleIndex)
    }
  }

  /// Separate points, each with a marker and an optional label.
  public struct Points: Sendable {
    /// The name in the legend; empty for no entry.
    public var name: String
    /// The x coordinates.
    public var x: [Double]
    /// The y coordinates, one for each x.
    public var y: [Double]
    /// The labels of the points, placed without overlap; empty for none.
    public var labels: [String]
    /// The index of its colour and marker, from 0, or `nil` for its index in the panel.
    public var styleIndex: Int?
    /// The prominence of the points. Default: `marks`.
    public var weight = Weight.marks

    /// The prominence of points.
    public enum Weight: Sendable {
      /// Separate markers.
      case marks
      /// Dots on a line.
      case dots
      /// Pale dots under the lines, which serve only as a comparison.
      case faint
    }

    /// Creates points.
    ///
    /// - Precondition: `x` and `y` have the same count, as have the labels unless they are empty.
    public init(_ name: String, x: [Double], y: [Double], labels: [String] = [], styleIndex: Int? = nil) {
      precondition(x.count == y.count, "points have as many x as y, not \(x.count) and \(y.count)")
      precondition(labels.isEmpty || labels.count == x.count, "there are \(labels.count) labels for \(x.count) points")
      (self.name, self.x, self.y, self.labels, self.styleIndex) = (name, x, y, labels, styleIndex)
    }
  }

  /// An area of the plane, such as a confidence region: filled outlines. Overlapping outlines are not darker than
  /// single ones.
  public struct Area: Sendable {
    /// The name in the legend; empty for no entry.
    public var name: String
    /// The corners of each outline; an outline with a non-finite coordinate is skipped.
    public var outlines: [[(x: Double, y: Double)]]
    /// The index of its colour, from 0.
    public var styleIndex: Int
    /// Whether the area is drawn with a line around it instead of being filled.
    public var isOutlined: Bool

    /// Creates an area from outlines, with its name in the legend.
    public init(_ name: String, _ outlines: [[(x: Double, y: Double)]], styleIndex: Int, isOutlined: Bool = false) {
      (self.name, self.outlines, self.styleIndex, self.isOutlined) = (name, outlines, styleIndex, isOutlined)
    }
  }

  /// Intervals of x that are shaded from top to bottom: rest, a disturbance, an event.
  public struct Shade: Sendable {
    /// The name in the legend.
    public var name: String
    /// The intervals of x.
    public var spans: [ClosedRange<Double>]
    /// The index of its pattern, from 0, or `nil` for its index in the panel.
    public var styleIndex: Int?

    /// Creates shaded intervals, with their name in the legend.
    public init(_ name: String, _ spans: [ClosedRange<Double>], styleIndex: Int? = nil) {
      (self.name, self.spans, self.styleIndex) = (name, spans, styleIndex)
    }
  }

  /// Values of x that are marked by a vertical line: steps, notes, falls.
  public struct Marks: Sendable {
    /// The name in the legend.
    public var name: String
    /// The values of x.
    public var places: [Double]

    /// Creates marks, with their name in the legend.
    public init(_ name: String, _ places: [Double]) { (self.name, self.places) = (name, places) }
  }
}
