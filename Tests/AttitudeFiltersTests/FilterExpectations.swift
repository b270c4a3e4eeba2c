import AttitudeFilters

/// What the suites that run every filter ask of one: a factor on the bounds that the best of them hold, where a
/// filter's own mathematics cannot. A filter that is not listed is held to the bounds themselves.
struct FilterExpectations: Sendable {
  /// Factor on bounds of tilt errors.
  var tilt = 1.0
  /// Factor on bounds of heading errors.
  var heading = 1.0
  /// Further factors on tilt and heading in one of the scenarios.
  var scenarios: [String: (tilt: Double, heading: Double)] = [:]
  /// Factor on how far off a bias learned in motion may be.
  var movingBias = 1.0

  func factors(in scenario: String) -> (tilt: Double, heading: Double) {
    let own = scenarios[scenario] ?? (1, 1)
    return (tilt * own.tilt, heading * own.heading)
  }

  static let byName: [String: FilterExpectations] = [
    "basic-vqf": basicVQF, "mahony": mahony,
  ]

  /// No bias is estimated: a phone's of 0.6 °/s stands as an error of bias × time constant, 1.7° of tilt and 5° of
  /// heading, beside the accelerometer's own.
  static let basicVQF = FilterExpectations(tilt: 2.2, heading: 4)

  /// One gain for everything: a gyroscope's bias of 0.6 °/s stands as a heading error of bias / k_P until the integral
  /// has it, and a shake is followed at that gain.
  static let mahony = FilterExpectations(
    tilt: 1.5, heading: 4, scenarios: ["shake": (2.3, 1)], movingBias: 3)
}

extension FilterKind {
  var expectations: FilterExpectations { FilterExpectations.byName[name] ?? FilterExpectations() }

  /// The filters that have all of the traits.
  static func having(_ traits: FilterTraits) -> [FilterKind] { all.filter { $0.traits.isSuperset(of: traits) } }
}
