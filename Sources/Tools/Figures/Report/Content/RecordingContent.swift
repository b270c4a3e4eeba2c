/// What the page of a recording is told, but for the numbers of its tables. `report.js` reads it.
struct RecordingContent: Encodable {
  /// A name and its value, for people.
  struct Fact: Encodable, Sendable {
    var name: String
    var value: String
  }

  /// What was found, and whether it is certain that something is wrong.
  struct Notes: Encodable, Sendable {
    var findings: [String]
    /// The tests that could not decide.
    var untested: [String]
    var warnings: [String]
    var remarks: [String]
  }

  /// A line of a plot.
  struct Series: Encodable, Sendable {
    /// Index of the table and of its column.
    var table: Int
    var column: Int
    var label: String
    /// What the column's numbers are multiplied by to have the plot's unit.
    var factor: Double
    /// Column of the standard deviation, and what its numbers are multiplied by to have the plot's unit; nil without one.
    var sigma: Int?
    var sigmaFactor: Double?
    /// The turn after which the values begin anew, in the plot's unit: 360 of angles in degrees; nil of what does not.
    var turn: Double?
  }

  /// A plot over time.
  struct Plot: Encodable, Sendable {
    var title: String
    var unit: String
    var series: [Series]
    /// What is to be known to read it; empty where nothing is.
    var note = ""
  }

  /// Stretches and moments of one kind.
  struct Lane: Encodable, Sendable {
    var name: String
    /// "span", "moment", or "activity": how it is drawn.
    var kind: String
    /// Start and end of each, seconds, one after another.
    var times: [Double]
    /// A word for each; empty where the lane's name says all.
    var texts: [String] = []
    /// Whether it is also marked in every plot.
    var isMarked = false
  }

  /// Columns of texts and numbers, with a heading for each.
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

  /// How the device's frame is drawn.
  struct Scene: Encodable, Sendable {
    /// "phone" or "box".
    var device: String
    /// Words for the directions of the frame's X, Y and Z.
    var axes: [String]
    /// Whether X points north.
    var hasNorth: Bool
    var table: Int
    /// Columns of quaternion (x, y, z, w), gravity and user acceleration; nil where there are none.
    var quaternion: [Int]
    var gravity: [Int]
    var userAcceleration: [Int]?
  }

  /// Curves and points that are not over time.
  struct Chart: Encodable, Sendable {
    struct Curve: Encodable, Sendable {
      /// Empty = it has no place in the legend.
      var label: String
      var x: [Double]
      var y: [Double]
      /// Of a curve among others in an order: from 0, the first, to 1; nil of one that is only another.
      var tone: Double?
      /// The time of each point; nil of curves that are not gone along.
      var times: [Double]?
    }

    /// Outlines, x and y by turns, that are filled faintly together, or have a line around them.
    struct Area: Encodable, Sendable {
      var label: String
      var outlines: [[Double]]
      var isOutlined = false
    }

    /// Dots beside or on the curves.
    struct Dots: Encodable, Sendable {
      var label: String
      var x: [Double]
      var y: [Double]
      var isFaint = false
    }

    /// A place with its word.
    struct Place: Encodable, Sendable {
      var label: String
      var x: Double
      var y: Double
    }

    /// What there is beside the curves of a map, whose unit is as long upwards as across.
    struct Map: Encodable, Sendable {
      var isNorthUp: Bool
      var areas: [Area]
      var dots: [Dots]
      var places: [Place]
    }

    var title: String
    var x: String
    var y: String
    var hasLogarithmicX = false
    var hasLogarithmicY = false
    /// Whether the points are joined.
    var isLine = true
    var curves: [Curve]
    var note = ""
    /// nil of a chart that is no map.
    var map: Map?
  }

  /// Where the device went.
  struct Path: Encodable, Sendable {
    /// What it rests on, how uncertain its end is, and what cannot be known.
    var note: String
    /// nil where there is none: then the note says why.
    var chart: Chart?
    /// Places among the plots.
    var plots: [Int]
  }

  /// What the filter made of its measurements.
  struct Measurements: Encodable, Sendable {
    var grid: Grid
    /// Places among the plots.
    var plots: [Int]
  }

  /// The judgement against a reference.
  struct Judgement: Encodable, Sendable {
    var note: String
    var grids: [Grid]
    var charts: [Chart]
    /// Places among the plots.
    var plots: [Int]
  }

  var title: String
  var summary: String
  /// UNIX time of time 0; nil where it is not known.
  var epoch: Double?
  var facts: [Fact]
  var notes: Notes
  var grids: [Grid]
  var tables: [EncodedTable.Description]
  var plots: [Plot]
  var lanes: [Lane]
  /// Pauses of the rows, start and end one after another.
  var pauses: [Double]
  var scene: Scene?
  /// Places among the plots of the differences of further filters from the first; empty without them.
  var comparisons: [Int]
  /// nil where it was not looked for.
  var path: Path?
  /// nil of a filter that tells nothing of them.
  var measurements: Measurements?
  var judgement: Judgement?
  /// Why filters were not judged though there is a reference; nil where they were or there is none.
  var unjudged: String?
  var command: String
  var version: String
  /// The folder's overview, from the page; nil of a page alone.
  var overview: String?
}
