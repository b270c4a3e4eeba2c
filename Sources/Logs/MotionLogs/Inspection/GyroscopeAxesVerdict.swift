internal import InertialNumerics
internal import InertialSensors

/// The agreement between the gyroscope and a direction that is fixed in the earth.
enum GyroscopeAxesVerdict {
  /// The logged axes fit; the scale is 1 for the correct unit.
  case agrees(AxesCandidate)
  /// Other axes fit clearly better: the best first, with those that the motion cannot distinguish from it.
  case contradicts([AxesCandidate])
  /// The rotation is insufficient or too disturbed, for the given reason.
  case silent(String)
}

// MARK: The magnetic field

extension GyroscopeAxesVerdict {
  private static let minimumFraction = 0.3
  private static let minimumOtherFraction = 0.45
  /// The threshold for a log of less than half a minute, whose few rotations may coincide with a passing magnet.
  private static let minimumOtherFractionOfShort = 0.55
  /// The margin by which another mapping must explain more to be accepted, and the margin within which it is a rival.
  private static let (clearMargin, rivalMargin) = (0.3, 0.1)
  /// The maximum number of mappings that may fit equally well.
  private static let maximumRivalCount = 4
  /// The minimum number of usable half seconds, and the number below which a log is short.
  private static let (minimumPairCount, shortPairs) = (30, 60)

  /// Evaluates a regression. The thresholds were determined on 157 recordings of phones and research units in hands,
  /// pockets and vehicles.
  init(_ regression: DirectionRegression) {
    let candidates = regression.candidates()
    guard regression.pairCount >= Self.minimumPairCount, let best = candidates.first else {
      self = .silent("the log is too short, or one of the two is missing")
      return
    }
    // If a body rotates about only one axis or always in the same way, many mappings explain it, some by chance.
    guard candidates.filter({ best.fraction - $0.fraction < Self.rivalMargin }).count <= Self.maximumRivalCount else {
      self = .silent("the device turns about too few axes, so that several mappings of its axes fit equally well")
      return
    }
    let asIs = candidates.first { $0.axes == .identity }
    if let asIs, asIs.fraction >= Self.minimumFraction, best.fraction - asIs.fraction < Self.rivalMargin {
      self = .agrees(asIs)
    } else if best.fraction
      >= (regression.pairCount < Self.shortPairs ? Self.minimumOtherFractionOfShort : Self.minimumOtherFraction),
      best.fraction - max(asIs?.fraction ?? 0, 0) >= Self.clearMargin
    {
      self = .contradicts(candidates.filter { best.fraction - $0.fraction < Self.rivalMargin })
    } else {
      let percent = Int(exactly: (max(asIs?.fraction ?? 0, 0) * 100).rounded()) ?? 0
      self = .silent(
        "rotation explains \(percent) % of the direction's changes, and at least 30 % are needed, so turn the device slowly "
          + "about all three axes for half a minute")
    }
  }
}

// MARK: Gravity

extension GyroscopeAxesVerdict {
  /// The minimum number of pairs of two-second blocks.
  private static let minimumRotationPairCount = 4
  /// The margins of twice the log-likelihood by which other axes must exceed the logged axes and no rotation. In 270
  /// correct recordings of phones and research units on hands, feet, arms, in pockets and vehicles, other axes had at
  /// most 7.4, and at most 4.5 against both.
  private static let (overAsIs, overRest) = (12.0, 8.0)
  /// The same margins for scales above 1 and below 1: shaking favours small scales, by 14 on a bicycle.
  private static let (overLarge, overSmall) = (10.0, 20.0)
  /// The margin within which a candidate cannot be distinguished from the best one.
  private static let rival = 6.0
  /// The tested scales: confused units, and factors of two, three and ten.
  private static let scales: [Double] = [
    Double.pi / 180, 0.03, 0.06, 0.1, 0.2, 1 / 3, 0.5, 0.7, 0.85, 1, 1.2, 1.4, 2, 3, 5, 10, 17, 30, 180 / Double.pi,
  ]
  private static let moderateScales: [Double] = [0.5, 0.7, 0.85, 1, 1.2, 1.4, 2]
  /// The range of correct scales. Sensor errors and motion stay within this range.
  static let rightScales = 0.6...1.6

  init(_ test: GravityRotationTest) {
    guard test.pairCount >= Self.minimumRotationPairCount else {
      self = .silent("the log is too short, or one of the two is missing")
      return
    }
    let atRest = test.fitAtRest()
    let byAxes = test.fitsOfAxes()
    guard let best = byAxes.first, let asIs = byAxes.first(where: { $0.axes == .identity }) else {
      self = .silent("the log is too short, or one of the two is missing")
      return
    }
    func candidate(_ fit: GravityRotationTest.Fit, scale: Double) -> AxesCandidate {
      AxesCandidate(axes: fit.axes, scale: scale, fraction: max(0, 1 - fit.misfit / max(atRest.misfit, 1e-9)))
    }
    // If the logged axes explain most of the rotation, only a moderate factor can be wrong.
    let isClear = candidate(asIs, scale: 1).fraction > 0.5 && atRest.misfit - asIs.misfit > 2 * Self.overSmall
    let scaled = isClear ? Self.nearestBestScale(test, asIs) : Self.bestScale(test, asIs)
    if !Self.rightScales.contains(scaled.scale), scaled.misfit < best.misfit {
      let margin = scaled.scale > 1 ? Self.overLarge : Self.overSmall
      if asIs.misfit - scaled.misfit >= margin, atRest.misfit - scaled.misfit >= margin {
        self = .agrees(candidate(scaled, scale: scaled.scale))
        return
      }
    }
    if asIs.misfit - best.misfit >= Self.overAsIs, atRest.misfit - best.misfit >= Self.overRest {
      self = .contradicts(byAxes.filter { $0.misfit - best.misfit < Self.rival }.map { candidate($0, scale: 1) })
    } else if atRest.misfit - asIs.misfit >= Self.overRest {
      let scale = Self.rightScales.contains(scaled.scale) ? scaled.scale : 1
      self = .agrees(candidate(asIs, scale: scale))
    } else {
      self = .silent(
        "gravity turns too little in the device frame, or other motion dominates; turn the device slowly about all three axes "
          + "for half a minute")
    }
  }

  /// Returns the scale from which no step along the moderate scales improves the fit, refined by a search near it.
  private static func nearestBestScale(_ test: GravityRotationTest, _ asIs: GravityRotationTest.Fit)
    -> GravityRotationTest.Fit
  {
    var best = asIs
    for direction in [moderateScales.filter { $0 > 1 }, moderateScales.filter { $0 < 1 }.reversed()] {
      for scale in direction {
        let fit = test.fit(scale: scale)
        guard fit.misfit < best.misfit else { break }
        best = fit
      }
    }
    return refined(best, test)
  }

  /// Returns the best of all scales, refined by a search near it.
  private static func bestScale(_ test: GravityRotationTest, _ asIs: GravityRotationTest.Fit)
    -> GravityRotationTest.Fit
  {
    refined(scales.map { $0 == 1 ? asIs : test.fit(scale: $0) }.min { $0.misfit < $1.misfit } ?? asIs, test)
  }

  /// Returns the best fit of the scales near that of a fit.
  private static func refined(_ fit: GravityRotationTest.Fit, _ test: GravityRotationTest) -> GravityRotationTest.Fit {
    // A correct scale requires no refinement.
    guard !rightScales.contains(fit.scale) else { return fit }
    var best = fit
    for step in [1.2, 1.1, 1.05] {
      let nearby = [best.scale * step, best.scale / step].map { test.fit(scale: $0) }
      if let better = nearby.min(by: { $0.misfit < $1.misfit }), better.misfit < best.misfit { best = better }
    }
    return best
  }
}
