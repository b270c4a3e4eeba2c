internal import InertialSystem

/// Where numbers of an axis are on paper.
struct AxisScale {
  let range: ClosedRange<Double>
  let isLogarithmic: Bool
  /// The places of the range's ends on paper.
  var from = 0.0
  var to = 1.0

  init(_ range: ClosedRange<Double>, isLogarithmic: Bool) {
    (self.range, self.isLogarithmic) = (range, isLogarithmic)
  }

  /// nil for what has no place: NaN, infinities, and on a logarithmic axis what is not above 0.
  func place(_ value: Double) -> Double? {
    guard value.isFinite else { return nil }
    let share: Double
    if isLogarithmic {
      guard value > 0 else { return nil }
      share = (log10(value) - log10(range.lowerBound)) / (log10(range.upperBound) - log10(range.lowerBound))
    } else {
      // Halves, as differences of the largest numbers are none.
      share = (value / 2 - range.lowerBound / 2) / (range.upperBound / 2 - range.lowerBound / 2)
    }
    guard share.isFinite else { return nil }
    // Far outside of any page.
    return from + min(max(share, -1e4), 1e4) * (to - from)
  }
}

/// The least and the greatest of numbers, as far as they have a place on an axis.
struct Extent {
  private(set) var least = Double.infinity
  private(set) var most = -Double.infinity
  let isLogarithmic: Bool

  init(isLogarithmic: Bool) { self.isLogarithmic = isLogarithmic }

  var isEmpty: Bool { least > most }

  var range: ClosedRange<Double>? { isEmpty ? nil : least...most }

  /// From the least to the greatest, 0 where there is none; a tenth of the largest number at most.
  var length: Double { isEmpty ? 0 : min(most - least, .greatestFiniteMagnitude / 10) }

  mutating func add(_ value: Double) {
    guard value.isFinite, value > 0 || !isLogarithmic else { return }
    if value < least { least = value }
    if value > most { most = value }
  }

  mutating func add(_ other: Extent) {
    least = min(least, other.least)
    most = max(most, other.most)
  }

  /// Takes what is more in, but goes at most half as far again to either side: a band that is endless at its start is no
  /// reason to show nothing else.
  mutating func stretch(to other: Extent) {
    guard !isEmpty, !other.isEmpty else { return add(other) }
    let (low, high) = isLogarithmic ? (log10(least), log10(most)) : (least, most)
    stretch(to: other, room: max((high - low) / 2, isLogarithmic ? 0.5 : abs(high) * 0.05))
  }

  /// Takes what is more in, but goes no further to either side than so much, in powers of ten on a logarithmic axis.
  mutating func stretch(to other: Extent, room: Double) {
    guard !isEmpty, !other.isEmpty else { return add(other) }
    let (low, high) = isLogarithmic ? (log10(least), log10(most)) : (least, most)
    let (lowest, highest) = isLogarithmic ? (pow(10, low - room), pow(10, high + room)) : (low - room, high + room)
    least = min(least, max(other.least, lowest))
    most = max(most, min(other.most, highest))
  }

  /// The range with room at both ends, a share of its length.
  ///
  /// - Parameter beyondZero: whether 0 is a place like any other; else numbers that are never below it have an axis that is
  ///   not, either.
  func padded(_ share: Double, beyondZero: Bool = false) -> ClosedRange<Double>? {
    guard let range else { return nil }
    if isLogarithmic {
      let room = (log10(most) - log10(least)) * share
      return pow(10, log10(least) - room)...pow(10, log10(most) + room)
    }
    let room = (range.upperBound / 2 - range.lowerBound / 2) * 2 * share
    let low = least >= 0 && !beyondZero ? max(0, least - room) : least - room
    let high = most <= 0 && !beyondZero ? min(0, most + room) : most + room
    return low.isFinite && high.isFinite ? low...high : range
  }
}
