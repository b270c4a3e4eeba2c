internal import InertialNavigation
internal import InertialNumerics
internal import InertialRecognition
internal import InertialSystem

/// The placement of a device, determined from the whole log.
extension TrackRecording {
  /// The minimum speed of a fix in a vehicle, in m/s, and its minimum duration, in seconds.
  private static let drivingSpeed = 4.0
  private static let drivingTime = 15.0
  /// The minimum rotation rate of a swing, in rad/s; then the limits of the following stance and its duration, in
  /// seconds.
  private static let swingRate = 3.0
  private static let stanceRate = 0.8
  private static let stanceForce = 1.2
  private static let stanceTime = 0.08
  /// The minimum of the median peak rate of a foot's swings, in rad/s. A walker's shank and foot reach 5 to 10, a
  /// thigh, an arm or a bicycle's handlebar 3 to 4.
  private static let footRate = 4.5
  /// The duration of a stride, in seconds, and the minimum fraction of the swinging time that strides take.
  private static let strideTime = 0.4...2.5
  private static let strideFraction = 0.3
  /// The minimum number of swings of a foot. A shorter walk requires `--on foot`.
  private static let minimumSwingCount = 10
  /// The minimum number of successive steps in a walk, to exclude hand movements.
  private static let minimumStepCount = 8
  /// The maximum interval between successive steps, in seconds; slow walkers take one.
  private static let maximumStepInterval = 2.0

  /// Returns the placement of the device, and the reason for it.
  ///
  /// - Parameter specified: The user's option; `auto` determines the placement from the fixes and the motion.
  func decision(_ specified: CarryMode = .auto) -> (carrying: CarryMode, reason: String) {
    guard specified == .auto else { return (specified, PathReport.specifiedReason) }
    var driven = 0.0
    for (a, b) in zip(fixes, fixes.dropFirst()) where b.time - a.time < 5 {
      if let velocity = b.velocity, velocity.norm > Self.drivingSpeed { driven += b.time - a.time }
    }
    if driven > Self.drivingTime {
      return (.vehicle, "the position fixes exceed \(Self.drivingSpeed) m/s for \(Int(driven)) s")
    }
    let swings = swings
    if swings.count >= Self.minimumSwingCount, swings.peak > Self.footRate, swings.fraction > Self.strideFraction {
      let rate = (swings.peak * 10).rounded() / 10
      return (.foot, "\(swings.count) swings with a median peak of \(rate) rad/s end in a standstill")
    }
    return (.hand, "no swings of a foot and no fixes of a drive: steps and headings")
  }

  /// The swings that end in a standstill: their number, the median of their peak rates in rad/s, and the fraction of
  /// the swinging time that strides take.
  private var swings: (count: Int, peak: Double, fraction: Double) {
    var (peaks, peak, quiet) = ([Double](), 0.0, nil as Double?)
    var (last, stride, swinging, striding) = (-Double.infinity, nil as Double?, 0.0, 0.0)
    var before: Double?
    for sample in samples {
      let rate = sample.rate.norm
      if rate > Self.swingRate { last = sample.time }
      if rate > Self.swingRate || peak > 0 { peak = max(peak, rate) }
      if let before, sample.time - last < 1 { swinging += min(sample.time - before, 0.2) }
      before = sample.time
      guard rate < Self.stanceRate, abs(sample.force.norm - 9.81) < Self.stanceForce else {
        quiet = nil
        continue
      }
      let since = quiet ?? sample.time
      quiet = since
      guard peak > 0, sample.time - since > Self.stanceTime else { continue }
      if let stride, Self.strideTime.contains(sample.time - stride) { striding += sample.time - stride }
      peaks.append(peak)
      (stride, peak) = (sample.time, 0)
    }
    peaks.sort()
    return (peaks.count, peaks.isEmpty ? 0 : peaks[peaks.count / 2], swinging > 0 ? striding / swinging : 0)
  }

  /// Returns the largest number of successive steps with the given times.
  static func longestRow(of times: [Double]) -> Int {
    var (longest, row, last) = (0, 0, -Double.infinity)
    for time in times {
      row = time - last <= maximumStepInterval ? row + 1 : 1
      (longest, last) = (max(longest, row), time)
    }
    return longest
  }

  /// Returns the reason why the log has too few steps or fixes for a path, or `nil` if it has enough or the path does not
  /// need them.
  func missingInputReason(_ carrying: CarryMode) -> String? {
    if carrying == .vehicle, fixes.isEmpty {
      return
        "a vehicle's path needs position fixes, but the log has no channel location; use --on hand for a path from steps "
        + "and headings"
    }
    guard carrying != .foot, carrying != .vehicle, fixes.isEmpty,
      Self.longestRow(of: steps.map(\.time)) < Self.minimumStepCount
    else {
      return nil
    }
    return
      "the log has no steps of a walk, no swings of a foot and no position fixes, without which the "
      + "integrated position is wrong by metres after seconds"
  }
}
