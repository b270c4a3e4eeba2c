internal import InertialNumerics
internal import InertialSystem

/// The search for the offset at which the stretches of a log fit best.
///
/// Every stretch has an unknown noise of its own (how a user moves, what disturbs the field), so that the likelihood of
/// an offset is the sum of the logarithms of what is left over: quiet stretches count, wild ones hardly do.
struct OffsetSearch {
  /// Offsets searched, seconds either way.
  static let reach = 1.0
  /// Seconds.
  private static let coarseStep = 0.02
  /// Half the width of the parabola, seconds.
  private static let fineStep = 0.01
  /// Lags nearer than this belong to the peak, seconds.
  private static let peakWidth = 0.12
  static let fewestStretches = 5
  /// How many standard errors the peak must be better than every lag far from it.
  private static let clearness = 4.0
  /// Seconds.
  private static let largestUncertainty = 0.02
  /// Of an accelerometer's peak, which other accelerations than gravity's blur and move. Above it,
  /// recordings of one phone in pockets and swinging hands told offsets tens of milliseconds apart.
  private static let largestGravityRatio = 0.2
  /// A thousandth of the vector is below what any sensor's scale and axes are known to.
  private static let noiseFloor = 1e-6

  /// Standard deviations, seconds, of what all stretches of a log have in common and their spread does not show: how the
  /// user moves (recordings of phones told accelerometers up to 56 ms off that no other evidence puts there), and a
  /// field that iron nearby bends.
  private static let unseenByGravity = 0.025
  private static let unseenByField = 0.003

  private let stretches: [OffsetStretch]
  private let kind: OffsetStretch.Kind
  private let floors: [Double]

  private init(_ stretches: [OffsetStretch], _ kind: OffsetStretch.Kind) {
    self.kind = kind
    self.stretches = stretches.filter { $0.has(kind) }
    floors = self.stretches.map { Self.noiseFloor * ($0.meanSquare(of: kind) ?? 0) + 1e-300 }
  }

  static func finding(_ stretches: [OffsetStretch], channel: SensorChannel) -> StreamOffsetFinding {
    let finding = search(stretches, channel: channel)
    guard case .decided(var offset) = finding else { return finding }
    let unseen = channel == .accelerometer ? unseenByGravity : unseenByField
    offset.uncertainty = (offset.uncertainty * offset.uncertainty + unseen * unseen).squareRoot()
    return .decided(offset)
  }

  private static func search(_ stretches: [OffsetStretch], channel: SensorChannel) -> StreamOffsetFinding {
    guard channel == .accelerometer else { return OffsetSearch(stretches, .field(channel)).run() }
    let finding = OffsetSearch(stretches, .gravity).run()
    guard case .decided(var offset) = finding else { return finding }
    // Where much is left over, the user's accelerations have a say in where the peak is: they go with the rotation.
    guard offset.residualRatio <= largestGravityRatio,
      let smooth = OffsetSearch(stretches, .smoothGravity).refined(offset.seconds)
    else { return .undecided(.noClearPeak) }
    // What changes with the smoothing comes from such accelerations too, and bounds what can be told.
    let difference = smooth.seconds - offset.seconds
    offset.uncertainty = (offset.uncertainty * offset.uncertainty + difference * difference).squareRoot()
    return offset.uncertainty <= largestUncertainty ? .decided(offset) : .undecided(.tooUncertain(offset.uncertainty))
  }

  private func run() -> StreamOffsetFinding {
    guard stretches.count >= Self.fewestStretches else {
      return .undecided(.tooLittleMotion(found: stretches.count, needed: Self.fewestStretches))
    }
    let last = Int((Self.reach / Self.coarseStep).rounded())
    let lags = (-last...last).map { Double($0) * Self.coarseStep }
    // Row by row: a lag's residuals of all stretches.
    let table = lags.map { residuals(at: $0) }
    let costs = table.map { $0.reduce(0) { $0 + log($1) } }
    let best = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    let far = lags.indices.filter { abs(lags[$0] - lags[best]) > Self.peakWidth }
    guard far.allSatisfy({ isClear(table[best], against: table[$0]) }) else {
      return .undecided(.noClearPeak)
    }
    guard best > 0, best < lags.count - 1 else { return .undecided(.beyondReach(Self.reach)) }
    let weights = table[best].map { 1 / $0 }
    guard let fine = refined(lags[best], weights) else { return .undecided(.noClearPeak) }
    guard fine.uncertainty <= Self.largestUncertainty else { return .undecided(.tooUncertain(fine.uncertainty)) }
    let peak = weighted(residuals(at: fine.seconds), weights)
    let away = far.reduce(0) { $0 + weighted(table[$1], weights) } / Double(far.count)
    return .decided(
      StreamOffset(
        seconds: fine.seconds, uncertainty: fine.uncertainty, residualRatio: min(1, (peak / away).squareRoot()),
        stretchCount: stretches.count))
  }

  private func residuals(at offset: Double) -> [Double] {
    zip(stretches, floors).map { ($0.residual(of: kind, offset: offset) ?? 0) + $1 }
  }

  private func weighted(_ residuals: [Double], _ weights: [Double]) -> Double {
    zip(residuals, weights).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// Whether residuals are less than others in most stretches: by the mean of the differences of their logarithms
  /// against its standard error.
  private func isClear(_ residuals: [Double], against others: [Double]) -> Bool {
    let differences = zip(residuals, others).map { log($1 / $0) }
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / count
    let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return mean > Self.clearness * (variance / count).squareRoot()
  }

  /// As below, with weights from the residuals at the offset to begin with.
  private func refined(_ start: Double) -> (seconds: Double, uncertainty: Double)? {
    stretches.count < Self.fewestStretches ? nil : refined(start, residuals(at: start).map { 1 / $0 })
  }

  /// The vertex of the parabola through the weighted residuals round an offset, and its deviation, from how far the
  /// slopes of single stretches are from zero there.
  private func refined(_ start: Double, _ weights: [Double]) -> (seconds: Double, uncertainty: Double)? {
    var seconds = start
    for _ in 0..<8 {
      let step = Self.fineStep
      let (before, here, after) = (
        residuals(at: seconds - step), residuals(at: seconds), residuals(at: seconds + step)
      )
      var (slopeSum, curvatureSum) = (0.0, 0.0)
      var slopes: [Double] = []
      for index in weights.indices {
        slopes.append(weights[index] * (after[index] - before[index]) / (2 * step))
        slopeSum += slopes[index]
        curvatureSum += weights[index] * (after[index] - 2 * here[index] + before[index]) / (step * step)
      }
      guard curvatureSum > 0 else { return nil }
      let change = -slopeSum / curvatureSum
      guard abs(seconds + change - start) < Self.peakWidth else { return nil }
      seconds += change
      if abs(change) < 1e-5 {
        let count = Double(slopes.count)
        let mean = slopeSum / count
        let spread = slopes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * count / (count - 1)
        return (seconds, spread.squareRoot() / curvatureSum)
      }
    }
    return nil
  }
}
