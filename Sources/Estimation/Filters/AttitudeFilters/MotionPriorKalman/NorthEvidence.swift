internal import InertialNumerics
internal import InertialSystem

/// For how long the field has shown the north that is believed, and for how long another one.
///
/// A recording that begins beside iron begins with a wrong north. What shows that is how long each north agrees with
/// the gyroscope: a disturbance lasts for some seconds, and its field varies as the device moves; the earth's field
/// is there for longer, and steady. The other north takes over as soon as more speaks for it than for the believed
/// one. This is the majority vote of Boyer and Moore ("MJRTY", in: Automated Reasoning, 1991) over time, each second
/// weighted by how near the field is to a north's mean (Cauchy's weights). A magnet that is held to the device may show
/// one field for as long as it is there; but no north is the earth's that is stronger than the earth's field anywhere,
/// so such a field speaks for none, as long as the believed one could be the earth's.
struct NorthEvidence: Sendable, Codable, Equatable {
  /// How far from a north's mean a field still speaks for it, as a share of the field's strength: inside buildings the
  /// earth's field varies by some per cent, and a deviation of 15 % turns a level needle by 20° at middle latitudes.
  private static let gate = 0.15
  /// The deviation, as a share of the field's strength, at which a second counts half.
  private static let scale = 0.05
  /// The least evidence for another north to be believed, s; VQF accepts a new field after as long.
  private static let least = 20.0
  /// No more than this is collected for the believed north, s: what was believed for hours can be found wrong in a
  /// minute.
  private static let most = 60.0
  /// The earth's field at its surface, µT, 22 to 67 by the World Magnetic Model. Where the believed north is not of that,
  /// the field is not in µT, or far from calibrated.
  private static let earthStrength = 22.0...67.0
  /// The least angle between norths that are two, rad: 10°.
  static let leastAngle = 0.17

  /// A north, as the field shows it.
  private struct North: Sendable, Codable, Equatable {
    /// Mean of the fields that spoke for it, µT, in the filter's earth axes. It follows the gyroscope only:
    /// corrections of the heading are undone by `turn(by:)`.
    var field = Vector3.zero
    /// What speaks for it, s.
    var evidence = 0.0
    /// When it was first shown, counted from when it was last believed, s.
    var since: Double?

    func deviation(of other: Vector3) -> Double { (other - field).norm / field.norm }

    mutating func add(_ other: Vector3, over interval: Double, at time: Double) {
      if since == nil { since = time }
      let deviation = deviation(of: other)
      let more =
        interval * NorthEvidence.scale * NorthEvidence.scale
        / (NorthEvidence.scale * NorthEvidence.scale + deviation * deviation)
      evidence += more
      field += (more / evidence) * (other - field)
    }
  }

  private var believed = North()
  private var rival = North()
  /// Whether the other north was believed before this one.
  private var rivalIsFormer = false
  /// When the filter's earth axes began: fields before that were in others, s.
  private let beginning: Double

  /// Nothing is known of the north of earth axes that begin at a time, s.
  init(since beginning: Double = -.greatestFiniteMagnitude) { self.beginning = beginning }

  /// Takes a field, in earth axes, µT.
  ///
  /// - Returns: whether the other north is to be believed.
  mutating func add(_ field: Vector3, over interval: Double, at time: Double) -> Bool {
    guard believed.evidence > 0 else {
      believed = North(field: field, evidence: interval, since: beginning)
      return false
    }
    guard Self.earthStrength.contains(field.norm) || !Self.earthStrength.contains(believed.field.norm) else {
      rival.evidence = max(0, rival.evidence - interval)
      return false
    }
    let deviation = believed.deviation(of: field)
    let rivalDeviation = rival.evidence > 0 ? rival.deviation(of: field) : .infinity
    if deviation <= Self.gate, deviation <= rivalDeviation {
      believed.add(field, over: interval, at: time)
      believed.evidence = min(Self.most, believed.evidence)
      rival.evidence -= interval
    } else if rivalDeviation <= Self.gate {
      rival.add(field, over: interval, at: time)
    } else {
      rival.evidence -= interval
    }
    if rival.evidence <= 0 {
      rival = deviation > Self.gate ? North(field: field, evidence: interval, since: time) : North()
      rivalIsFormer = false
    }
    guard rival.evidence > max(Self.least, believed.evidence) else { return false }
    guard abs(remainder(azimuth(of: rival) - azimuth(of: believed), 2 * .pi)) > Self.leastAngle else {
      // The same north, shown by a field of another strength or dip.
      (believed.field, believed.evidence, rival) = (rival.field, rival.evidence, North())
      return false
    }
    return true
  }

  /// Follows a turn of the filter's attitude about the vertical, rad.
  mutating func turn(by angle: Double) {
    let (c, s) = (cos(angle), sin(angle))
    func turned(_ v: Vector3) -> Vector3 { Vector3(c * v.x - s * v.y, s * v.x + c * v.y, v.z) }
    believed.field = turned(believed.field)
    rival.field = turned(rival.field)
  }

  /// A change of the believed north.
  struct Change: Sendable {
    /// When fields showed the north that is not believed any more.
    var disowned: ClosedRange<Double>
    /// Whether the north that is believed now is the one before that.
    var isBack: Bool
  }

  /// Believes the other north from now on.
  mutating func exchange(at time: Double) -> Change {
    let since = rival.since ?? time
    let change = Change(disowned: min(believed.since ?? since, since)...since, isBack: rivalIsFormer)
    swap(&believed, &rival)
    believed.evidence = min(Self.most, believed.evidence)
    (believed.since, rival.since, rivalIsFormer) = (since, nil, true)
    return change
  }

  /// The field of the believed north, µT.
  var field: Vector3 { believed.field }

  /// Variance of the heading for not knowing which north is right, rad²: it is off by the azimuth of the other one
  /// with the share of the evidence that speaks for that.
  var headingVariance: Double {
    guard rival.evidence > 0 else { return 0 }
    let angle = azimuth(of: rival)
    return rival.evidence / (believed.evidence + rival.evidence) * angle * angle
  }

  private func azimuth(of north: North) -> Double { atan2(north.field.y, north.field.x) }
}
