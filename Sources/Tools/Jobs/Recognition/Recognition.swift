public import InertialSensors

/// What can be recognised beside the fusion, and told in columns of the dataset.
///
/// To add a recogniser, write its `MotionAnnotator` and add a case and its line in `annotator`: columns, help, metadata
/// and manifests take all else from there. The order of the cases is that of the columns.
public enum Recognition: String, Sendable, CaseIterable, Codable {
  /// What a person does: walking, running, cycling, in a vehicle, still.
  case activity
  /// Steps, distance, pace and cadence.
  case steps
  /// Altitude, vertical speed and floors; needs a barometer.
  case altitude
  /// Shakes of the device.
  case shake
  /// Falls of a person who wears or carries the device.
  case falls
  /// How a person holds the body; needs `FusionOptions.placement`.
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

  /// What it tells, in a few words.
  public var meaning: String { annotator.meaning }

  /// Channels beside the motion that it is given.
  public var channels: Set<AuxiliaryChannel> { annotator.channels }

  /// Whether it needs any of `channels`; otherwise motion is enough.
  package var needsChannels: Bool { annotator.needsChannels }

  /// Whether the whole log says more of a moment than what came before it.
  var gathers: Bool { annotator.gathering() != nil }

  /// The columns that it adds, in their order.
  package var columns: [FusedColumn] { FusedColumn.recognised.filter { $0.recognition == self } }

  /// What a page shows of a log unless asked for less: all but the posture, for which somebody has to say where the device
  /// is worn.
  package static let shown = allCases.filter { $0 != .posture }

  /// The recognitions of `activity,shake`, in the order of their columns.
  package static func list(_ words: [String]) throws(FusionError) -> [Recognition] {
    var wanted: [Recognition] = []
    for word in words {
      guard let recognition = Recognition(rawValue: word) else {
        throw .usage("nothing recognises '\(word)'; there are \(allCases.map(\.rawValue).joined(separator: ", "))")
      }
      guard !wanted.contains(recognition) else { throw .usage("'\(word)' is asked for twice") }
      wanted.append(recognition)
    }
    guard !wanted.isEmpty else { throw .usage("nothing to be recognised is named") }
    return allCases.filter(wanted.contains)
  }
}

/// The last thing that a recogniser told: a column's value in the last row.
package struct RecognisedValue: Sendable, Equatable {
  package var column: String
  package var unit: String
  /// nil where nothing was known.
  package var value: Double?
}
