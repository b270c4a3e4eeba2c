internal import InertialNumerics
internal import InertialSystem

/// The search for the offset that best fits the segments of a log.
///
/// Every segment has its own unknown noise (user motion, field disturbances), so the log likelihood of an offset is the
/// sum of the logarithms of the residuals: quiet segments dominate, and disturbed segments hardly count.
struct OffsetSearch {
  /// The largest offset searched in both directions, in seconds.
  static let reach = 1.0
  /// The step of the coarse search, in seconds.
  private static let coarseStep = 0.02
  /// Half the width of the parabola, in seconds.
  private static let fineStep = 0.01
  /// The largest distance of lags that belong to the peak, in seconds.
  private static let peakWidth = 0.12
  static let minimumSegmentCount = 5
  /// The number of standard errors by which the peak must be better than every lag far from it.
  private static let clearness = 4.0
  /// The largest uncertainty of an accepted offset, in seconds.
  private static let largestUncertainty = 0.02
  /// The largest residual ratio of an accelerometer's peak. Accelerations other than gravity blur and shift the peak.
  /// Above this ratio, recordings of one phone in pockets and swinging hands yielded offsets tens of milliseconds
  /// apart.
  private static let largestGravityRatio = 0.2
  /// The relative noise floor: a thousandth of the vector is below the accuracy of any sensor's scale and axes.
  private static let noiseFloor = 1e-6

  /// The standard deviations, in seconds, of errors that all segments of a log share, so that their spread does not
  /// show them: the user's motion (accelerometers in phone recordings were up to 56 ms off, without any other evidence
  /// of an offset), and a field distorted by nearby iron.
  private static let unseenByGravity = 0.025
  private static let unseenByField = 0.003

  /// The fits of the segments that have samples of the channel throughout.
  private let fits: [OffsetSegment.Fit]
  private let floors: [Double]

  private init(_ fits: [OffsetSegment.Fit]) {
    self.fits = fits
    floors = fits.map { Self.noiseFloor * $0.meanSquare + 1e-300 }
  }

  /// Returns the offset of a channel.
  ///
  /// - Throws: `StreamOffsetError` if the segments do not determine it.
  static func offset(
    of channel: SensorChannel, in segments: [OffsetSegment]
  ) throws(StreamOffsetError) -> StreamOffset {
    var offset = try OffsetSearch(segments.compactMap { $0.fits[channel] }).run()
    var unseen = unseenByField
    if channel == .accelerometer {
      unseen = unseenByGravity
      // If the residual is large, the user's accelerations affect the peak's position: they correlate with the rotation.
      guard offset.residualRatio <= largestGravityRatio,
        let smooth = OffsetSearch(segments.compactMap { $0.smoothGravity }).refined(offset.seconds)
      else { throw .noClearPeak }
      // A change with the smoothing also comes from such accelerations; it bounds the precision.
      let difference = smooth.seconds - offset.seconds
      offset.uncertainty = (offset.uncertainty * offset.uncertainty + difference * difference).squareRoot()
      guard offset.uncertainty <= largestUncertainty else { throw .tooUncertain(offset.uncertainty) }
    }
    offset.uncertainty = (offset.uncertainty * offset.uncertainty + unseen * unseen).squareRoot()
    return offset
  }

  private func run() throws(StreamOffsetError) -> StreamOffset {
    guard fits.count >= Self.minimumSegmentCount else {
      throw .tooLittleMotion(found: fits.count, needed: Self.minimumSegmentCount)
    }
    let last = Int((Self.reach / Self.coarseStep).rounded())
    let lags = (-last...last).map { Double($0) * Self.coarseStep }
    // Each row holds the residuals of all segments at one lag.
    let table = lags.map { residuals(at: $0) }
    let costs = table.map { $0.reduce(0) { $0 + log($1) } }
    let best = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    let far = lags.indices.filter { abs(lags[$0] - lags[best]) > Self.peakWidth }
    guard far.allSatisfy({ isClear(table[best], against: table[$0]) }) else { throw .noClearPeak }
    guard best > 0, best < lags.count - 1 else { throw .beyondReach(Self.reach) }
    let weights = table[best].map { 1 / $0 }
    guard let fine = refined(lags[best], weights) else { throw .noClearPeak }
    guard fine.uncertainty <= Self.largestUncertainty else { throw .tooUncertain(fine.uncertainty) }
    let peak = weighted(residuals(at: fine.seconds), weights)
    let away = far.reduce(0) { $0 + weighted(table[$1], weights) } / Double(far.count)
    return StreamOffset(
      seconds: fine.seconds, uncertainty: fine.uncertainty, residualRatio: min(1, (peak / away).squareRoot()),
      stretchCount: fits.count)
  }

  private func residuals(at offset: Double) -> [Double] {
    zip(fits, floors).map { $0.residual(offset) + $1 }
  }

  private func weighted(_ residuals: [Double], _ weights: [Double]) -> Double {
    zip(residuals, weights).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// Returns whether residuals are smaller than others in most segments, by comparing the mean of the differences of
  /// their logarithms with its standard error.
  private func isClear(_ residuals: [Double], against others: [Double]) -> Bool {
    let differences = zip(residuals, others).map { log($1 / $0) }
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / count
    let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return mean > Self.clearness * (variance / count).squareRoot()
  }

  /// Same as `refined(_:_:)`, with weights from the residuals at the start offset.
  private func refined(_ start: Double) -> (seconds: Double, uncertainty: Double)? {
    fits.count < Self.minimumSegmentCount ? nil : refined(start, residuals(at: start).map { 1 / $0 })
  }

  /// Returns the vertex of the parabola through the weighted residuals around an offset, and its standard deviation,
  /// from the deviations of single segments' slopes from zero.
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
