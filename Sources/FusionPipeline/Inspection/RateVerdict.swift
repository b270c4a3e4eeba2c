internal import LinearAlgebra
internal import Sensors

/// What the gyroscope and a direction that is fixed in the earth say about one another.
///
/// The thresholds were set on 157 recordings of phones and research units in hands, pockets and vehicles: there the
/// right reading explains 30 % or more of the direction's changes wherever the device turns much more than it speeds
/// up; a wrong one explains up to 45 % where it hardly does.
enum RateVerdict {
  /// The axes fit as they are; the number is what the rates are to be multiplied by, 1 for the right unit.
  case agrees(scale: Double, share: Double, offset: Vector3)
  /// Other axes fit clearly better: the best first, with those that the motion cannot tell from it.
  case contradicts([DirectionRegression.Candidate])
  /// Too little turning, or too much else, to tell; why.
  case silent(String)

  private static let leastShare = 0.3
  private static let leastOtherShare = 0.45
  /// Of a log of less than half a minute, whose few turns may have come with jolts.
  private static let leastOtherShareOfShort = 0.55
  /// By how much another reading must explain more to be believed, and less not to be a rival.
  private static let (clearMargin, rivalMargin) = (0.3, 0.1)
  /// The most readings that may fit alike.
  private static let mostRivals = 4
  /// Half seconds of use.
  private static let (leastPairs, shortPairs) = (30, 60)

  init(_ regression: DirectionRegression) {
    let candidates = regression.candidates()
    guard regression.pairCount >= Self.leastPairs, let best = candidates.first else {
      self = .silent("the log is too short, or one of the two is missing")
      return
    }
    // A body that turns about one axis, or always in one way, is explained by many readings, some by accident.
    guard candidates.filter({ best.share - $0.share < Self.rivalMargin }).count <= Self.mostRivals else {
      self = .silent("the device turns in too few ways, so that many ways to read its axes fit alike")
      return
    }
    let asIs = candidates.first { $0.axes == .identity }
    if let asIs, asIs.share >= Self.leastShare, best.share - asIs.share < Self.rivalMargin {
      self = .agrees(scale: asIs.scale, share: asIs.share, offset: asIs.offset)
    } else if best.share
      >= (regression.pairCount < Self.shortPairs ? Self.leastOtherShareOfShort : Self.leastOtherShare),
      best.share - max(asIs?.share ?? 0, 0) >= Self.clearMargin
    {
      self = .contradicts(candidates.filter { best.share - $0.share < Self.rivalMargin })
    } else {
      let percent = Int((max(asIs?.share ?? 0, 0) * 100).rounded())
      self = .silent(
        "turning explains \(percent) % of what the direction does; it takes 30 % to tell, so turn the device slowly "
          + "about all three axes for half a minute")
    }
  }

  var scale: Double? {
    switch self {
    case .agrees(let scale, _, _): scale
    case .contradicts(let candidates): candidates[0].scale
    case .silent: nil
    }
  }

  var share: Double {
    switch self {
    case .agrees(_, let share, _): share
    case .contradicts(let candidates): candidates[0].share
    case .silent: 0
    }
  }

  /// "agrees", "contradicts" or "silent", for reports.
  var word: String {
    switch self {
    case .agrees: "agrees"
    case .contradicts: "contradicts"
    case .silent: "silent"
    }
  }
}
