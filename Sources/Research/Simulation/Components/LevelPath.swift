internal import InertialNumerics
internal import InertialSystem

/// A level path with random bends, straight beyond its ends: a uniform cubic B-spline with equally spaced control
/// points.
///
/// Direction and curvature are continuous. The parameter is the length of the control polygon: in a bend the curve is
/// slightly shorter, by 1.5 % if the polygon's direction changes by 20° at each point.
public struct LevelPath: Sendable, Equatable {
  /// The distance between control points, in m.
  public let spacing: Double
  private var x: [Double]
  private var y: [Double]

  /// Creates a path with seeded bends.
  ///
  /// - Parameters:
  ///   - length: The length of the path with bends, in m.
  ///   - spacing: The distance between control points, in m; more than 0.
  ///   - bend: The standard deviation of the change of direction at each control point, in radians.
  ///   - seed: The seed; the same seed gives the same path.
  public init(length: Double, spacing: Double, bend: Double, seed: UInt64) {
    precondition(spacing > 0, "control points \(spacing) m apart")
    var generator = SeededGenerator(seed: seed)
    let count = max(Int((length / spacing).rounded(.up)), 0) + 2
    var direction = 2 * Double.pi * generator.uniform()
    (x, y) = ([0], [0])
    for index in 1..<count {
      x.append(x[index - 1] + spacing * cos(direction))
      y.append(y[index - 1] + spacing * sin(direction))
      direction += bend * generator.normal()
    }
    self.spacing = spacing
  }

  /// Returns the position in m and the direction in radians, counter-clockwise from X, at a distance along the path.
  func point(at distance: Jet) -> (x: Jet, y: Jet, direction: Jet) {
    // The bounds keep Int from overflowing; beyond the control points the path is straight.
    let knot = min(max((distance.value / spacing).rounded(.down), -2), Double(x.count) + 2)
    let first = Int(knot) - 1
    let u = distance.value / spacing - knot
    let (px, py) = (curve(x, first, u), curve(y, first, u))
    let squared = px.first * px.first + py.first * py.first
    let turning = (px.first * py.second - py.first * px.second) / squared
    let stretching = (px.first * px.second + py.first * py.second) / squared
    let direction = distance.mapped(
      to: atan2(py.first, px.first), first: turning,
      second: (px.first * py.third - py.first * px.third) / squared - 2 * turning * stretching)
    return (
      distance.mapped(to: px.value, first: px.first, second: px.second),
      distance.mapped(to: py.value, first: py.first, second: py.second), direction
    )
  }

  /// Returns one coordinate and its derivatives by the distance, at u knots after the second of four control points.
  private func curve(_ values: [Double], _ first: Int, _ u: Double)
    -> (value: Double, first: Double, second: Double, third: Double)
  {
    let (a, b) = (control(values, first), control(values, first + 1))
    let (c, d) = (control(values, first + 2), control(values, first + 3))
    // The coefficients of the polynomial in u.
    let (k0, k1) = ((a + 4 * b + c) / 6, (c - a) / 2)
    let (k2, k3) = ((a - 2 * b + c) / 2, (d - 3 * c + 3 * b - a) / 6)
    return (
      k0 + u * (k1 + u * (k2 + u * k3)), (k1 + u * (2 * k2 + 3 * u * k3)) / spacing,
      (2 * k2 + 6 * u * k3) / (spacing * spacing), 6 * k3 / (spacing * spacing * spacing)
    )
  }

  private func control(_ values: [Double], _ index: Int) -> Double {
    let last = values.count - 1
    if index < 0 { return values[0] + Double(index) * (values[1] - values[0]) }
    if index > last { return values[last] + Double(index - last) * (values[last] - values[last - 1]) }
    return values[index]
  }
}
