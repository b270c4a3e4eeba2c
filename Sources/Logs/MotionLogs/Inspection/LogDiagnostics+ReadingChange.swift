internal import InertialNumerics
internal import InertialSensors

extension LogDiagnostics {
  /// The factors between units that are often confused. The factors of ranges, 2 and 4, resemble wild motion.
  private static let scales: [Double] = [.pi / 180, 180 / .pi]
  /// The minimum number of pairs of seconds on each side.
  private static let minimumPairCount = 4
  /// The margins of twice the log-likelihood: of two readings over one, and of each in its part over no rotation and
  /// over the reading of the other part.
  private static let (overOne, overRest, overOther) = (25.0, 8.0, 12.0)

  /// Returns a finding about a time, with an accuracy of some seconds, after which the gyroscope's rates match the
  /// rotation of gravity only under another reading. Returns `nil` if one reading explains the whole log, or if no
  /// reading explains it.
  func readingChangeFinding() -> String? {
    let test = GravityRotationTest(inspection.sketch, stepsOfBlock: GravityRotationTest.stepsOfShortBlock)
    let count = test.pairCount
    guard count >= 2 * Self.minimumPairCount else { return nil }
    let misfits = test.misfits(bias: test.fit(scale: 1).bias, scales: Self.scales + [0])
    // The cumulative misfit by the number of pairs. The last reading is no rotation.
    let sums = misfits.map { $0.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1) } }
    guard let asIs = SignedAxes.all.firstIndex(of: .identity), let rest = sums.last,
      let single = sums.map({ $0[count] }).min()
    else { return nil }

    var best: (gain: Double, place: Int, before: Int, after: Int)?
    for place in Self.minimumPairCount...(count - Self.minimumPairCount) {
      func early(_ reading: Int) -> Double { sums[reading][place] }
      func late(_ reading: Int) -> Double { sums[reading][count] - sums[reading][place] }
      for other in sums.indices.dropLast() where other != asIs {
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
    let readings =
      SignedAxes.all.map { $0 == .identity ? "unchanged" : "with --axes gyroscope=\($0.text)" }
      + Self.scales.map { "times \(rounded($0))" }
    return
      "From about \(rounded(time(ofPair: best.place))) s on the gyroscope's rates need another interpretation: gravity "
      + "rotates with the rates \(readings[best.before]) before and \(readings[best.after]) after; split the log there."
  }

  private func time(ofPair place: Int) -> Double {
    let sketch = inspection.sketch
    var left = place
    for (stretch, start) in zip(sketch.stretches, sketch.starts) {
      let pairs = stretch.count / GravityRotationTest.stepsOfShortBlock - 1
      if left < pairs {
        return start + Double((left + 1) * GravityRotationTest.stepsOfShortBlock) * DownsampledMotion.step
      }
      left -= pairs
    }
    return sketch.starts.last ?? .nan
  }
}
