internal import InertialNumerics
internal import InertialSensors

/// What the gyroscope and a direction that is fixed in the earth say about one another.
enum RateVerdict {
  /// A way to read the gyroscope's axes, and how well it explains what the direction does.
  struct Candidate {
    var axes: SignedAxes
    /// What the logged rates are to be multiplied by; above zero.
    var scale: Double
    /// The share of the direction's changes that is explained, 0 to 1.
    var share: Double
  }

  /// The axes fit as they are; the number is what the rates are to be multiplied by, 1 for the right unit. `offset` is the
  /// direction's constant part in the device, in its unit.
  case agrees(scale: Double, share: Double, offset: Vector3)
  /// Other axes fit clearly better: the best first, with those that the motion cannot tell from it.
  case contradicts([Candidate])
  /// Too little turning, or too much else, to tell; why.
  case silent(String)

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

// MARK: The magnetic field

extension RateVerdict {
  private static let leastShare = 0.3
  private static let leastOtherShare = 0.45
  /// Of a log of less than half a minute, whose few turns may have come with a passing magnet.
  private static let leastOtherShareOfShort = 0.55
  /// By how much another reading must explain more to be believed, and less not to be a rival.
  private static let (clearMargin, rivalMargin) = (0.3, 0.1)
  /// The most readings that may fit alike.
  private static let mostRivals = 4
  /// Half seconds of use.
  private static let (leastPairs, shortPairs) = (30, 60)

  /// The thresholds were set on 157 recordings of phones and research units in hands, pockets and vehicles.
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
      self = .contradicts(
        candidates.filter { best.share - $0.share < Self.rivalMargin }
          .map { Candidate(axes: $0.axes, scale: $0.scale, share: $0.share) })
    } else {
      let percent = Int(exactly: (max(asIs?.share ?? 0, 0) * 100).rounded()) ?? 0
      self = .silent(
        "turning explains \(percent) % of what the direction does; it takes 30 % to tell, so turn the device slowly "
          + "about all three axes for half a minute")
    }
  }
}

// MARK: Gravity

extension RateVerdict {
  /// Pairs of two seconds.
  private static let leastTurnPairs = 4
  /// Margins of twice the logarithm of the likelihood by which other axes must beat those of the log and no turning at
  /// all. Of 270 right recordings of phones and research units on hands, feet, arms, in pockets and vehicles none had more
  /// than 7.4 for other axes, and none more than 4.5 against both.
  private static let (overAsIs, overRest) = (12.0, 8.0)
  /// The same for scales, above 1 and below: shaking makes small scales look good, by 14 on a bicycle.
  private static let (overLarge, overSmall) = (10.0, 20.0)
  /// What is less behind the best cannot be told from it.
  private static let rival = 6.0
  /// Scales that are looked at: units taken for one another, and factors of two, three and ten.
  private static let scales: [Double] = [
    Double.pi / 180, 0.03, 0.06, 0.1, 0.2, 1 / 3, 0.5, 0.7, 0.85, 1, 1.2, 1.4, 2, 3, 5, 10, 17, 30, 180 / Double.pi,
  ]
  private static let moderateScales: [Double] = [0.5, 0.7, 0.85, 1, 1.2, 1.4, 2]
  /// No sensor's scale is so wrong, and no motion makes it look so.
  static let rightScales = 0.6...1.6

  init(_ test: TurnTest) {
    guard test.pairCount >= Self.leastTurnPairs else {
      self = .silent("the log is too short, or one of the two is missing")
      return
    }
    let atRest = test.fitAtRest()
    let byAxes = test.fitsOfAxes()
    guard let best = byAxes.first, let asIs = byAxes.first(where: { $0.axes == .identity }) else {
      self = .silent("the log is too short, or one of the two is missing")
      return
    }
    func share(_ fit: TurnTest.Fit) -> Double { max(0, 1 - fit.misfit / max(atRest.misfit, 1e-9)) }
    // Where the axes explain most as they are, only a moderate factor can be wrong.
    let isClear = share(asIs) > 0.5 && atRest.misfit - asIs.misfit > 2 * Self.overSmall
    let scaled = Self.bestScale(test, asIs, isClear ? Self.moderateScales : Self.scales)
    if let scaled, !Self.rightScales.contains(scaled.scale), scaled.misfit < best.misfit {
      let margin = scaled.scale > 1 ? Self.overLarge : Self.overSmall
      if asIs.misfit - scaled.misfit >= margin, atRest.misfit - scaled.misfit >= margin {
        self = .agrees(scale: scaled.scale, share: share(scaled), offset: .zero)
        return
      }
    }
    if asIs.misfit - best.misfit >= Self.overAsIs, atRest.misfit - best.misfit >= Self.overRest {
      self = .contradicts(
        byAxes.filter { $0.misfit - best.misfit < Self.rival }
          .map { Candidate(axes: $0.axes, scale: 1, share: share($0)) })
    } else if atRest.misfit - asIs.misfit >= Self.overRest {
      let scale = scaled.map { Self.rightScales.contains($0.scale) ? $0.scale : 1 } ?? 1
      self = .agrees(scale: scale, share: share(asIs), offset: .zero)
    } else {
      self = .silent(
        "gravity turns too little in the device, or too much else happens; turn the device slowly about all three axes "
          + "for half a minute")
    }
  }

  /// The best of the scales, and one that is better still near it.
  private static func bestScale(_ test: TurnTest, _ asIs: TurnTest.Fit, _ scales: [Double]) -> TurnTest.Fit? {
    guard var best = scales.map({ $0 == 1 ? asIs : test.fit(scale: $0) }).min(by: { $0.misfit < $1.misfit }) else {
      return nil
    }
    // A right scale need not be known so well.
    guard !rightScales.contains(best.scale) else { return best }
    for step in [1.2, 1.1, 1.05] {
      let nearby = [best.scale * step, best.scale / step].map { test.fit(scale: $0) }
      if let better = nearby.min(by: { $0.misfit < $1.misfit }), better.misfit < best.misfit { best = better }
    }
    return best
  }
}
