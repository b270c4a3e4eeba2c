internal import InertialNumerics

/// The state of a vertical filter, and its errors, which have the same order.
struct VerticalState: Sendable, Codable, Equatable {
  /// The altitude, in m.
  var altitude: Double
  /// The vertical speed, in m/s, up positive.
  var speed = 0.0
  /// The bias of the vertical acceleration, in m/s².
  var bias = 0.0
  /// The lagged altitude that the barometer shows, in m.
  var lagged: Double

  /// The errors in a layout of four.
  enum Index {
    static let altitude = 0
    static let speed = 1
    static let bias = 2
    static let lagged = 3
  }

  /// The errors of altitude, speed and bias.
  static let moving = ErrorLayout.Block(start: Index.altitude, count: 3)

  /// The layout of the errors.
  static var layout: ErrorLayout {
    var layout = ErrorLayout()
    _ = layout.add(4)
    return layout
  }

  /// Adds the errors to the state.
  mutating func correct(by error: ErrorValues) {
    altitude += error[Index.altitude]
    speed += error[Index.speed]
    bias += error[Index.bias]
    lagged += error[Index.lagged]
  }
}
