internal import InertialNumerics
internal import InertialSensors

/// A moment from which the gyroscope's rates turn the device as gravity does only if they are read otherwise.
struct TurnChange {
  /// A way to read the rates: their axes, or what they are multiplied by.
  enum Reading {
    case axes(SignedAxes)
    case scale(Double)
  }

  /// On the log's clock, seconds; known to some seconds.
  let time: Double
  let before: Reading
  let after: Reading

  /// Factors between units that are confused. Those of ranges, 2 and 4, look like wild motion.
  private static let scales: [Double] = [.pi / 180, 180 / .pi]
  /// Pairs of seconds on each side.
  private static let leastPairs = 4
  /// Margins of twice the logarithm of the likelihood: of two readings over one, and of each in its part over no turning
  /// and over the reading of the other part.
  private static let (overOne, overRest, overOther) = (25.0, 8.0, 12.0)

  /// nil if one reading explains the whole log, or none does.
  init?(_ sketch: MotionSketch) {
    let test = TurnTest(sketch, stepsOfBlock: TurnTest.stepsOfShortBlock)
    let count = test.pairCount
    guard count >= 2 * Self.leastPairs else { return nil }
    let readings = SignedAxes.all.map(Reading.axes) + Self.scales.map(Reading.scale)
    let misfits = test.misfits(bias: test.fit(scale: 1).bias, scales: Self.scales + [0])
    // The misfit of the first pairs, for each number of them; the last reading is rest.
    let sums = misfits.map { $0.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1) } }
    guard let asIs = SignedAxes.all.firstIndex(of: .identity), let rest = sums.last,
      let single = sums.map({ $0[count] }).min()
    else { return nil }

    var best: (gain: Double, place: Int, before: Int, after: Int)?
    for place in Self.leastPairs...(count - Self.leastPairs) {
      func early(_ reading: Int) -> Double { sums[reading][place] }
      func late(_ reading: Int) -> Double { sums[reading][count] - sums[reading][place] }
      for other in readings.indices where other != asIs {
        for (before, after) in [(asIs, other), (other, asIs)] {
          let gain = single - early(before) - late(after)
          guard gain >= max(Self.overOne, best?.gain ?? 0), early(after) - early(before) >= Self.overOther,
            late(before) - late(after) >= Self.overOther, rest[place] - early(before) >= Self.overRest,
            rest[count] - rest[place] - late(after) >= Self.overRest
          else { continue }
          best = (gain, place, before, after)
        }
      }
    }
    guard let best else { return nil }
    time = Self.time(ofPair: best.place, in: sketch)
    (before, after) = (readings[best.before], readings[best.after])
  }

  private static func time(ofPair place: Int, in sketch: MotionSketch) -> Double {
    var left = place
    for (stretch, start) in zip(sketch.stretches, sketch.starts) {
      let pairs = stretch.count / TurnTest.stepsOfShortBlock - 1
      if left < pairs { return start + Double((left + 1) * TurnTest.stepsOfShortBlock) * MotionSketch.step }
      left -= pairs
    }
    return sketch.starts.last ?? .nan
  }
}
