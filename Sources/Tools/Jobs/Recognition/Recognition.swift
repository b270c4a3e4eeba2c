public import InertialSensors

/// A recognition that runs alongside the fusion and adds columns to the dataset.
///
/// To add a recogniser, write its `MotionAnnotator`, and add a case and its line in `annotator`. Columns, help,
/// metadata and manifests are derived from it. The columns have the order of the cases.
public enum Recognition: String, Sendable, CaseIterable, Codable {
  /// The activity of a person: walking, running, cycling, in a vehicle, still.
  case activity
  /// Steps, distance, pace and cadence.
  case steps
  /// Altitude, vertical speed and floors; needs a barometer.
  case altitude
  /// Shakes of the device.
  case shake
  /// Falls of a person who wears or carries the device.
  case falls
  /// The posture of the body; needs `FusionOptions.placement`.
  case posture
  /// Position and velocity.
  case track

  var annotator: any MotionAnnotator.Type {
    switch self {
    case .activity: ActivityAnnotator.self
    case .steps: StepsAnnotator.self
    case .altitude: AltitudeAnnotator.self
    case .shake: ShakeAnnotator.self
    case .falls: FallAnnotator.self
    case .posture: PostureAnnotator.self
    case .track: TrackAnnotator.self
    }
  }

  /// A description of the values in a few words.
  public var meaning: String { annotator.meaning }

  /// The channels used in addition to the motion.
  public var channels: Set<AuxiliaryChannel> { annotator.channels }

  /// Whether any of `channels` is required; otherwise motion is sufficient.
  package var needsChannels: Bool { annotator.needsChannels }

  /// Whether the values are of a person, and not of any device.
  package var isOfPerson: Bool { [.activity, .steps, .falls, .posture].contains(self) }

  /// Whether values from the whole log are better than causal values.
  var usesWholeLog: Bool { [.activity, .steps, .altitude, .track].contains(self) }

  /// The index in `FusedColumn.recognised` of its first column.
  var place: Int { FusedColumn.recognised.firstIndex { $0.recognition == self }! }

  /// The columns that it adds, in order.
  package var columns: [FusedColumn] { FusedColumn.recognised.filter { $0.recognition == self } }

  /// The recognitions that a page shows by default: all except the posture, which requires the placement of the device.
  package static let shown = allCases.filter { $0 != .posture }

  /// Returns the recognitions named in a list such as `activity,shake`, in the order of their columns.
  package static func list(_ words: [String]) throws(FusionError) -> [Recognition] {
    var wanted: [Recognition] = []
    for word in words {
      guard let recognition = Recognition(rawValue: word) else {
        throw .usage("'\(word)' cannot be recognised; use \(allCases.map(\.rawValue).joined(separator: ", "))")
      }
      guard !wanted.contains(recognition) else { throw .usage("'\(word)' is listed twice") }
      wanted.append(recognition)
    }
    guard !wanted.isEmpty else { throw .usage("--with lists nothing to recognise") }
    return allCases.filter(wanted.contains)
  }
}
