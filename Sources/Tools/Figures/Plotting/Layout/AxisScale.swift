internal import InertialSystem

/// Maps values of an axis to positions on paper.
struct AxisScale {
  let range: ClosedRange<Double>
  let isLogarithmic: Bool
  /// The positions of the range's ends on paper.
  var from = 0.0
  var to = 1.0

  init(_ range: ClosedRange<Double>, isLogarithmic: Bool) {
    (self.range, self.isLogarithmic) = (range, isLogarithmic)
  }

  /// Returns the position of a value, or `nil` for NaN, infinities, and non-positive values on a logarithmic axis.
  func place(_ value: Double) -> Double? {
    guard value.isFinite else { return nil }
    let fraction: Double
    if isLogarithmic {
      guard value > 0 else { return nil }
      fraction = (log10(value) - log10(range.lowerBound)) / (log10(range.upperBound) - log10(range.lowerBound))
    } else {
      // Halved, to avoid an overflow of the difference of the largest numbers.
      fraction = (value / 2 - range.lowerBound / 2) / (range.upperBound / 2 - range.lowerBound / 2)
    }
    guard fraction.isFinite else { return nil }
    // Far outside any page.
    return from + min(max(fraction, -1e4), 1e4) * (to - from)
  }
}

/// The minimum and maximum of values that can be shown on an axis.
struct Extent {
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity
  let isLogarithmic: Bool

  init(isLogarithmic: Bool) { self.isLogarithmic = isLogarithmic }

  var isEmpty: Bool { minimum > maximum }

  var range: ClosedRange<Double>? { isEmpty ? nil : minimum...maximum }

  /// The difference of the maximum and the minimum, or 0 if empty; at most a tenth of the largest number.
  var length: Double { isEmpty ? 0 : min(maximum - minimum, .greatestFiniteMagnitude / 10) }

  mutating func add(_ value: Double) {
    guard value.isFinite, value > 0 || !isLogarithmic else { return }
    if value < minimum { minimum = value }
    if value > maximum { maximum = value }
  }

  mutating func add(_ other: Extent) {
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
  }

  /// Includes another extent, but extends this one by at most half of its length on either side: a band that is
  /// unbounded at its start must not hide the other data.
  mutating func stretch(to other: Extent) {
    guard !isEmpty, !other.isEmpty else { return add(other) }
    let (low, high) = isLogarithmic ? (log10(minimum), log10(maximum)) : (minimum, maximum)
    stretch(to: other, room: max((high - low) / 2, isLogarithmic ? 0.5 : abs(high) * 0.05))
  }

  /// Includes another extent, but extends this one by at most `room` on either side, in powers of ten on a logarithmic
  /// axis.
  mutating func stretch(to other: Extent, room: Double) {
    guard !isEmpty, !other.isEmpty else { return add(other) }
    let (low, high) = isLogarithmic ? (log10(minimum), log10(maximum)) : (minimum, maximum)
    let (lowest, highest) = isLogarithmic ? (pow(10, low - room), pow(10, high + room)) : (low - room, high + room)
    minimum = min(minimum, max(other.minimum, lowest))
    maximum = max(maximum, min(other.maximum, highest))
  }

  /// Returns the range with padding at both ends, as a fraction of its length.
  ///
  /// - Parameter beyondZero: Whether the padding may extend below 0; otherwise data without negative values has an axis
  ///   without negative values.
  func padded(_ fraction: Double, beyondZero: Bool = false) -> ClosedRange<Double>? {
    guard let range else { return nil }
    if isLogarithmic {
      let room = (log10(maximum) - log10(minimum)) * fraction
      return pow(10, log10(minimum) - room)...pow(10, log10(maximum) + room)
    }
    let room = (range.upperBound / 2 - range.lowerBound / 2) * 2 * fraction
    let low = minimum >= 0 && !beyondZero ? max(0, minimum - room) : minimum - room
    let high = maximum <= 0 && !beyondZero ? min(0, maximum + room) : maximum + room
    return low.isFinite && high.isFinite ? low...high : range
  }
}
