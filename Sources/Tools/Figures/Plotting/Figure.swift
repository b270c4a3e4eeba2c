/// A figure for a paper: panels below one another, drawn at the size at which they are printed.
///
/// ```swift
/// var panel = Figure.Panel(x: "Time (s)", y: "Heading (°)")
/// panel.lines = [Figure.Line("kalman", x: times, y: headings)]
/// try Figure([panel]).write(to: "heading.pdf")
/// ```
///
/// Sizes are those of the page: the width in millimetres, the font in points. Lines differ in colour, in lightness and in
/// their strokes, so that a print in grey can be read as well; the colours are those of Okabe and Ito ("Color universal
/// design", 2008), which most colour-blind readers can tell apart. The same figure gives the same bytes each time.
public struct Figure: Sendable {
  /// From top to bottom. Their left and right edges are in line.
  public var panels: [Panel]
  /// Size, font and colours.
  public var style: Style
  /// What the figure shows, in words, for those who cannot see it; not drawn.
  public var description = ""

  /// A figure of panels from top to bottom, without a description.
  public init(_ panels: [Panel], style: Style = Style()) {
    self.panels = panels
    self.style = style
  }

  /// The size of a figure, and how it is drawn.
  public struct Style: Sendable, Equatable {
    /// Millimetres. Default: 89, a column of many journals; their whole page is about 183.
    public var width = 89.0
    /// Millimetres; nil = 42 for a panel, less for one of many.
    public var height: Double?
    /// Of all words, in points. Default: 8.
    public var fontSize = 8.0
    /// Shades of grey in place of colours.
    public var isGreyscale = false
    /// Pixels to the inch of a PNG. Default: 300.
    public var dotsPerInch = 300.0

    /// A column of a journal, in colour.
    public init() {}
  }

  /// One diagram.
  public struct Panel: Sendable {
    /// The axis across.
    public var x: Axis
    /// The axis upwards.
    public var y: Axis
    /// Above the panel, at its left; empty = none.
    public var title = ""
    /// In the order in which they are drawn: the last is on top.
    public var lines: [Line] = []
    /// Above the lines.
    public var points: [Points] = []
    /// Behind the lines: where something may be.
    public var areas: [Area] = []
    /// Behind all else.
    public var shades: [Shade] = []
    /// Places across that are marked from top to bottom.
    public var marks: [Marks] = []
    /// Whether fine lines go on from the axes' numbers. Default: no.
    public var hasGrid = false
    /// Whether a unit is as long upwards as it is across, as on a map. The axes then show more than was asked for where
    /// the panel has room, and the panel is as high as what it shows. Both axes are linear. Default: no.
    public var hasEqualScale = false
    /// Whether an arrow says that north is up. Default: no.
    public var hasNorthArrow = false
    /// Its height beside that of the others. Default: 1.
    public var weight = 1.0

    /// An empty panel with these axes.
    public init(x: Axis, y: Axis) { (self.x, self.y) = (x, y) }

    /// A panel whose axes show all there is.
    ///
    /// - Parameters:
    ///   - x: the words at the axis across, with the unit in brackets.
    ///   - y: the words at the axis upwards, with the unit in brackets.
    public init(x: String, y: String) { self.init(x: Axis(x), y: Axis(y)) }
  }

  /// The line along which numbers are laid out.
  public struct Axis: Sendable, Equatable {
    /// What it shows, with the unit in brackets: `Heading (°)`.
    public var label: String
    /// nil = all of the panel's numbers.
    public var range: ClosedRange<Double>?
    /// Whether equal ways are equal ratios. Numbers that are not above 0 are then not drawn.
    public var isLogarithmic = false
    /// Whether it has degrees, numbered by 45 rather than by 50.
    public var hasDegrees = false

    /// An axis without degrees; `range` nil shows all of the panel's numbers.
    public init(_ label: String, range: ClosedRange<Double>? = nil, isLogarithmic: Bool = false) {
      (self.label, self.range, self.isLogarithmic) = (label, range, isLogarithmic)
    }
  }

  /// A line through points in their order. Where a coordinate is NaN or infinite the line is broken.
  ///
  /// Of many points only those are written that make a difference on paper: the first, the last, the lowest and the highest
  /// of each column of 1/300 inch.
  public struct Line: Sendable {
    /// In the legend; empty = it has no place there.
    public var name: String
    /// Numbers of the axis across.
    public var x: [Double]
    /// Numbers of the axis upwards, one for each x.
    public var y: [Double]
    /// The lower and the upper edge of a band around it, such as one standard deviation, a number for each point; nil =
    /// none.
    public var band: (lower: [Double], upper: [Double])?
    /// Its colour and stroke, counted from 0; nil = its place in the panel.
    public var look: Int?
    /// The line is broken where x grows by more, as a pause of the sensor is no straight motion; nil = nowhere.
    public var longestGap: Double?
    /// The length of a turn, where y begins anew after one: the line is broken where y changes by more than half of it.
    public var period: Double?
    /// Printed thinner, where the line is only there to be compared with.
    public var isThin = false
    /// From 0, dark, to 1, light: its colour among lines that have an order, as stretches of time have; it is then solid,
    /// and its look does not matter. nil = as its look says.
    public var tone: Double?

    /// - Precondition: as many x as y.
    public init(_ name: String, x: [Double], y: [Double], look: Int? = nil) {
      precondition(x.count == y.count, "a line has as many x as y, not \(x.count) and \(y.count)")
      (self.name, self.x, self.y, self.look) = (name, x, y, look)
    }
  }

  /// Points by themselves, each with a mark, and with a word beside it where it has one.
  public struct Points: Sendable {
    /// In the legend; empty = it has no place there.
    public var name: String
    /// Numbers of the axis across.
    public var x: [Double]
    /// Numbers of the axis upwards, one for each x.
    public var y: [Double]
    /// One for each point, put where it covers nothing; empty = none.
    public var labels: [String]
    /// Its colour and mark, counted from 0; nil = its place in the panel.
    public var look: Int?
    /// How much they stand out. Default: `marks`.
    public var weight = Weight.marks

    /// How much points stand out.
    public enum Weight: Sendable {
      /// Each is a mark of its own.
      case marks
      /// Dots on a line.
      case dots
      /// Pale dots behind the lines, of what is only there to be compared with.
      case faint
    }

    /// - Precondition: as many x as y, and as many labels or none.
    public init(_ name: String, x: [Double], y: [Double], labels: [String] = [], look: Int? = nil) {
      precondition(x.count == y.count, "points have as many x as y, not \(x.count) and \(y.count)")
      precondition(labels.isEmpty || labels.count == x.count, "there are \(labels.count) labels for \(x.count) points")
      (self.name, self.x, self.y, self.labels, self.look) = (name, x, y, labels, look)
    }
  }

  /// Where something is with a stated probability, or any other part of the plane: outlines, filled faintly. What several
  /// of them cover is no darker than what one does.
  public struct Area: Sendable {
    /// In the legend; empty = it has no place there.
    public var name: String
    /// Corners of each outline, as numbers of the two axes; an outline with a number that is not finite is left out.
    public var outlines: [[(x: Double, y: Double)]]
    /// Its colour, counted from 0.
    public var look: Int
    /// Whether it has a line around it in place of being filled.
    public var isOutlined: Bool

    /// Outlines with their word in the legend.
    public init(_ name: String, _ outlines: [[(x: Double, y: Double)]], look: Int, isOutlined: Bool = false) {
      (self.name, self.outlines, self.look, self.isOutlined) = (name, outlines, look, isOutlined)
    }
  }

  /// Stretches of x that are shaded from top to bottom: rest, a disturbance, an event.
  public struct Shade: Sendable {
    /// In the legend.
    public var name: String
    /// Numbers of the axis across.
    public var spans: [ClosedRange<Double>]
    /// Its pattern, counted from 0; nil = its place in the panel.
    public var look: Int?

    /// Stretches with their word in the legend.
    public init(_ name: String, _ spans: [ClosedRange<Double>], look: Int? = nil) {
      (self.name, self.spans, self.look) = (name, spans, look)
    }
  }

  /// Places of x that are marked by a line from top to bottom: steps, notes, falls.
  public struct Marks: Sendable {
    /// In the legend.
    public var name: String
    /// Numbers of the axis across.
    public var places: [Double]

    /// Places with their word in the legend.
    public init(_ name: String, _ places: [Double]) { (self.name, self.places) = (name, places) }
  }
}
