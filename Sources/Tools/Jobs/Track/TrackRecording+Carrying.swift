internal import InertialNavigation
internal import InertialNumerics
internal import InertialRecognition
internal import InertialSystem

/// How a device was carried, by all that a first pass has kept.
extension TrackRecording {
  /// Speed of a fix that is no walk, m/s, and for how long, s.
  private static let drivingSpeed = 4.0
  private static let drivingTime = 15.0
  /// A swing turns faster, rad/s; in the stance after it nothing does, for so long, s.
  private static let swingRate = 3.0
  private static let stanceRate = 0.8
  private static let stanceForce = 1.2
  private static let stanceTime = 0.08
  /// Half of the swings of a foot turn faster at their peak, rad/s: a walker's shank and foot reach 5 to 10, a thigh, an arm or a
  /// bicycle's handlebar 3 to 4.
  private static let footRate = 4.5
  /// A stride follows the one before within so long, s, and strides take that share of the time in which the device swings.
  private static let strideTime = 0.4...2.5
  private static let strideShare = 0.3
  /// Fewest swings that tell a foot. A shorter way wants `--on foot`.
  private static let fewestSwings = 10
  /// Fewest steps that are a walk, and not what a hand does.
  private static let fewestSteps = 8

  /// What the device was on.
  ///
  /// - Parameter told: by the user; auto: by the fixes and the motion.
  func decision(_ told: Carrying = .auto) -> CarryingDecision {
    guard told == .auto else { return CarryingDecision(told: told) }
    var driven = 0.0
    for (a, b) in zip(fixes, fixes.dropFirst()) where b.time - a.time < 5 {
      if let velocity = b.velocity, velocity.norm > Self.drivingSpeed { driven += b.time - a.time }
    }
    if driven > Self.drivingTime {
      return CarryingDecision(
        carrying: .vehicle, reason: "position fixes are faster than \(Self.drivingSpeed) m/s for \(Int(driven)) s")
    }
    let swings = swings
    if swings.count >= Self.fewestSwings, swings.peak > Self.footRate, swings.share > Self.strideShare {
      let rate = (swings.peak * 10).rounded() / 10
      return CarryingDecision(
        carrying: .foot, reason: "\(swings.count) swings of \(rate) rad/s at their peak end in a standstill")
    }
    return CarryingDecision(carrying: .hand, reason: "no swings of a foot, no fixes of a drive: steps and headings")
  }

  /// Swings that end in a standstill: how many, the median of their peaks, rad/s, and the share of the time in which the device
  /// swings that they are strides.
  private var swings: (count: Int, peak: Double, share: Double) {
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

  /// Why there are no steps that a path could rest on; nil where there are, or where it rests on something else.
  func lack(_ carrying: Carrying) -> String? {
    guard carrying != .foot, carrying != .vehicle, fixes.isEmpty, steps.count < Self.fewestSteps else { return nil }
    return
      "the log has no steps of a walk, no swings of a foot and no position fixes, and without such help an "
      + "accelerometer's position is wrong by metres after seconds"
  }
}
