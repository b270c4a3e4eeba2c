internal import InertialJobs

/// The data of a recording's page, except for the numbers of its tables; `report.js` reads it.
struct RecordingContent: Encodable {
  /// A name and its human-readable value.
  struct Fact: Encodable, Sendable {
    var name: String
    var value: String
  }

  /// The findings, the most severe first.
  struct Diagnostics: Encodable, Sendable {
    /// The certain problems, and the likely ones.
    var findings: [String]
    var likely: [String]
    /// The tests that were inconclusive.
    var untested: [String]
    var warnings: [String]
    var remarks: [String]
  }

  /// A line of a plot.
  struct Series: Encodable, Sendable {
    /// The indices of the table and of its column.
    var table: Int
    var column: Int
    var label: String
    /// The factor that converts the column's values to the plot's unit.
    var factor: Double
    /// The column of the standard deviation, and the factor that converts it to the plot's unit, or `nil` without one.
    var sigma: Int?
    var sigmaFactor: Double?
    /// The index of its colour, or `nil` for its index in the plot.
    var look: Int?
    /// The period of the values in the plot's unit, such as 360 for angles in degrees, or `nil` for other values.
    var turn: Double?
    /// The rule that computes the series from the columns `parts`: "sum", "norm" or "interval"; `nil` for a column.
    var rule: String?
    var parts: [Int]?
    /// Whether the line is dashed, as it belongs to another recording.
    var isDashed: Bool?
  }

  /// A value of an enumeration, and its name.
  struct Word: Encodable, Sendable, Equatable {
    var value: Int
    var text: String
  }

  /// A value with its name.
  struct Level: Encodable, Sendable {
    var value: Double
    var text: String
  }

  /// A plot over time.
  struct Plot: Encodable, Sendable {
    var title: String
    var unit: String
    var series: [Series]
    /// The smallest and the largest possible value in the plot's unit, or `nil` if the values are unbounded; larger ones
    /// are unknown.
    var range: [Double]?
    /// Whether the axis always shows the complete range.
    var showsRange: Bool?
    /// The words for the values of an enumeration; `nil` for numbers.
    var words: [Word]?
    /// Whether the page computes a spectrum of the series.
    var hasSpectrum: Bool?
    /// A value to compare the lines with, in the plot's unit, or `nil` without one.
    var level: Level?
    /// A note that explains the plot; empty for none.
    var note = ""
  }

  /// Intervals and events of one kind.
  struct Lane: Encodable, Sendable {
    var name: String
    /// The drawing style: "span", "moment", "activity" or "trust".
    var kind: String
    /// The start and end of each element in seconds, one after another.
    var times: [Double]
    /// The label of each element; empty if the lane's name is sufficient.
    var texts: [String] = []
    /// Whether the elements are also marked in every plot.
    var isMarked = false
    /// The reliability of each element of a lane of trust; otherwise `nil`.
    var levels: [AttitudeTrust.Level]?
  }

  /// A table of text and numbers, with a heading per column.
  struct Grid: Encodable, Sendable {
    struct Column: Encodable, Sendable {
      var name: String
      var unit = ""
      var digits: Int?
    }

    enum Cell: Encodable, Sendable {
      case text(String)
      case number(Double?)

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number?) where number.isFinite: try container.encode(number)
        case .number: try container.encodeNil()
        }
      }
    }

    var caption: String
    var columns: [Column]
    var rows: [[Cell]]
  }

  /// The drawing of the device's attitude.
  struct Scene: Encodable, Sendable {
    /// "phone" or "box".
    var device: String
    /// The labels of the directions of the frame's X, Y and Z.
    var axes: [String]
    /// Whether X points north.
    var hasNorth: Bool
    var table: Int
    /// The columns of the quaternion (x, y, z, w), gravity and user acceleration, or `nil` if they are missing.
    var quaternion: [Int]
    var gravity: [Int]
    var userAcceleration: [Int]?
  }

  /// Curves and points that are not functions of time.
  struct Chart: Encodable, Sendable {
    struct Curve: Encodable, Sendable {
      /// The name in the legend; empty for no entry.
      var label: String
      var x: [Double]
      var y: [Double]
      /// The tone of a curve in an ordered set, from 0 for the first to 1, or `nil` for other curves, which are grey on
      /// a map.
      var tone: Double?
      /// The time of each point, or `nil` for curves without times.
      var times: [Double]?
    }

    /// Outlines with alternating x and y, which are filled together or drawn as lines.
    struct Area: Encodable, Sendable {
      var label: String
      var outlines: [[Double]]
      var isOutlined = false
    }

    /// Dots next to or on the curves.
    struct Dots: Encodable, Sendable {
      var label: String
      var x: [Double]
      var y: [Double]
      var isFaint = false
      /// The radius of a circle around each dot, in the units of the axes, or `nil` without circles.
      var radii: [Double]?
    }

    /// A position with its label.
    struct Place: Encodable, Sendable {
      var label: String
      var x: Double
      var y: Double
    }

    /// The additional elements of a map, which has equal scales.
    struct Map: Encodable, Sendable {
      var isNorthUp: Bool
      var areas: [Area]
      var dots: [Dots]
      var places: [Place]
      /// The latitude and longitude of the map's origin in degrees, and the degrees of latitude per metre of y and of
      /// longitude per metre of x; `nil` if the location is unknown.
      var anchor: [Double]?
    }

    var title: String
    var x: String
    var y: String
    var hasLogarithmicX = false
    var hasLogarithmicY = false
    /// Whether the points are connected.
    var isLine = true
    var curves: [Curve]
    var note = ""
    /// The map, or `nil` for a chart that is not a map.
    var map: Map?
  }

  /// The path of the device.
  struct Path: Encodable, Sendable {
    /// The basis of the path, the uncertainty of its end, and its limits.
    var note: String
    /// The map, or `nil` if there is no path; the note then states the reason.
    var chart: Chart?
    /// The indices of its plots.
    var plots: [Int]
  }

  /// The measurement outcomes of the filter.
  struct Measurements: Encodable, Sendable {
    var grid: Grid
    /// The indices of its plots.
    var plots: [Int]
  }

  /// The evaluation against a reference.
  struct Judgement: Encodable, Sendable {
    var note: String
    var grids: [Grid]
    var charts: [Chart]
    /// The indices of its plots.
    var plots: [Int]
  }

  var title: String
  var summary: String
  /// The UNIX time of time 0, or `nil` if it is unknown.
  var epoch: Double?
  var answers: SummaryContent
  var facts: [Fact]
  var notes: Diagnostics
  var grids: [Grid]
  var tables: [EncodedTable.Description]
  var plots: [Plot]
  var lanes: [Lane]
  var scene: Scene?
  /// The indices of the plots with the differences of further filters from the first one; empty without further
  /// filters.
  var comparisons: [Int]
  /// The path, or `nil` if it was not requested.
  var path: Path?
  /// The measurement outcomes, or `nil` if the filter does not report them.
  var measurements: Measurements?
  /// The indices of the plots of measured values.
  var measured: [Int]
  var judgement: Judgement?
  /// The reason that filters were not evaluated despite a reference, or `nil` if they were or there is no reference.
  var unjudged: String?
  var command: String
  /// The command that draws the log; the page adds its visible range.
  var figure: String
  var version: String
  /// The path from the page to the folder's overview, or `nil` for a single page.
  var overview: String?
}
