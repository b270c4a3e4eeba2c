internal import InertialNumerics
internal import InertialSystem

/// The duration for which the field has shown the accepted north, and for which it has shown another.
///
/// A recording that begins near iron begins with a wrong north. The agreement of each north with the gyroscope over
/// time reveals the error: a disturbance lasts for some seconds, and its field varies as the device moves; the earth's
/// field lasts longer and is steady. The other north is accepted as soon as it has more evidence than the present one.
/// This is the majority vote of Boyer and Moore ("MJRTY", in: Automated Reasoning, 1991) over time, with each second
/// weighted by the distance of the field from a north's mean (Cauchy's weights). A magnet attached to the device may
/// show a constant field for as long as it is there. But the earth's field is nowhere that strong, so such a field
/// counts for no north, as long as the accepted one could be the earth's.
struct NorthReferenceVote: Sendable, Codable, Equatable {
  /// The largest deviation from a north's mean that counts as evidence, as a fraction of the field's strength. Inside
  /// buildings, the earth's field varies by some per cent, and a deviation of 15 % rotates a level needle by 20° at
  /// middle latitudes.
  private static let gate = 0.15
  /// The deviation at which a second counts half, as a fraction of the field's strength.
  private static let scale = 0.05
  /// The minimum evidence for accepting another north, in s; VQF accepts a new field after the same time.
  private static let minimumEvidence = 20.0
  /// The maximum evidence for the accepted north, in s, so that it can be refuted within a minute even after hours.
  private static let maximumEvidence = 60.0
  /// The strength of the earth's field at its surface, 22 to 67 µT by the World Magnetic Model. If the accepted north
  /// is outside, the field is not in µT or far from calibrated.
  private static let earthStrength = 22.0...67.0
  /// The minimum angle between two different norths, in rad: 10°.
  static let minimumSeparation = 0.17

  /// A north, as shown by the field.
  private struct North: Sendable, Codable, Equatable {
    /// The mean of the fields counted as its evidence, in µT, in the filter's earth axes. It follows only the
    /// gyroscope: `turn(by:)` undoes corrections of the heading.
    var field = Vector3.zero
    /// The evidence for it, in s.
    var evidence = 0.0
    /// The time at which it was first shown since it was last accepted, in s.
    var since: Double?

    func deviation(of other: Vector3) -> Double { (other - field).norm / field.norm }

    mutating func add(_ other: Vector3, over interval: Double, at time: Double) {
      if since == nil { since = time }
      let deviation = deviation(of: other)
      let more =
        interval * NorthReferenceVote.scale * NorthReferenceVote.scale
        / (NorthReferenceVote.scale * NorthReferenceVote.scale + deviation * deviation)
      evidence += more
      field += (more / evidence) * (other - field)
    }
  }

  private var believed = North()
  private var rival = North()
  /// Whether the other north was accepted before this one.
  private var rivalIsFormer = false
  /// The start of the filter's present earth axes, in s; earlier fields were in other axes.
  private let beginning: Double

  /// Creates empty evidence for earth axes that begin at a time, in s.
  init(since beginning: Double = -.greatestFiniteMagnitude) { self.beginning = beginning }

  /// Adds a field, in earth axes, in µT.
  ///
  /// - Returns: Whether the other north should be accepted.
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
      believed.evidence = min(Self.maximumEvidence, believed.evidence)
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
    guard rival.evidence > max(Self.minimumEvidence, believed.evidence) else { return false }
    guard abs(remainder(azimuth(of: rival) - azimuth(of: believed), 2 * .pi)) > Self.minimumSeparation else {
      // The same north, shown by a field with another strength or dip.
      (believed.field, believed.evidence, rival) = (rival.field, rival.evidence, North())
      return false
    }
    return true
  }

  /// Applies a rotation of the filter's attitude about the vertical, in rad.
  mutating func turn(by angle: Double) {
    let (c, s) = (cos(angle), sin(angle))
    func turned(_ v: Vector3) -> Vector3 { Vector3(c * v.x - s * v.y, s * v.x + c * v.y, v.z) }
    believed.field = turned(believed.field)
    rival.field = turned(rival.field)
  }

  /// A change of the accepted north.
  struct Change: Sendable {
    /// The interval in which fields showed the rejected north.
    var disowned: ClosedRange<Double>
    /// Whether the change returns to the previously accepted north.
    var isBack: Bool
  }

  /// Accepts the other north from now on.
  mutating func exchange(at time: Double) -> Change {
    let since = rival.since ?? time
    let change = Change(disowned: min(believed.since ?? since, since)...since, isBack: rivalIsFormer)
    swap(&believed, &rival)
    believed.evidence = min(Self.maximumEvidence, believed.evidence)
    (believed.since, rival.since, rivalIsFormer) = (since, nil, true)
    return change
  }

  /// The field of the accepted north, in µT.
  var field: Vector3 { believed.field }

  /// The variance of the heading due to the ambiguity between the norths, in rad²: the squared azimuth of the other
  /// north, weighted by its fraction of the evidence.
  var headingVariance: Double {
    guard rival.evidence > 0 else { return 0 }
    let angle = azimuth(of: rival)
    return rival.evidence / (believed.evidence + rival.evidence) * angle * angle
  }

  private func azimuth(of north: North) -> Double { atan2(north.field.y, north.field.x) }
}
