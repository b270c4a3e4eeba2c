internal import InertialRecognition
internal import InertialSensors

/// The posture of a person who wears the device on the trunk or the thigh.
struct PostureAnnotator: MotionAnnotator, Codable {
  static let meaning = "the posture, as from 'inertial activity --placement'; needs --placement trunk or thigh"
  static let columns: [Column] = [
    (
      "posture", "1",
      Posture.allCases.enumerated().map { "\($0) \($1.rawValue): \($1.meaning)" }.joined(separator: "; ")
    )
  ]

  private let placement: PosturePlacement?
  private var estimator: PostureEstimator?
  private(set) var values = [0.0]
  var events: [RecognisedEvent]?

  /// Creates an annotator whose posture is always unknown.
  init() { self.init(nil) }

  /// - Parameter placement: The placement of the device, or `nil` if it and therefore the posture are unknown.
  init(_ placement: PosturePlacement?) {
    self.placement = placement
    estimator = placement.map { PostureEstimator(placement: $0) }
  }

  mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?) {
    if let segment = estimator?.update(sample) { note(segment) }
    values[0] = Double(Posture.allCases.firstIndex(of: estimator?.posture ?? .unknown) ?? 0)
  }

  mutating func finish() {
    if let segment = estimator?.finish() { note(segment) }
  }

  mutating func restart() { self = Self(placement) }

  private mutating func note(_ segment: PostureSegment) {
    guard segment.posture != .unknown else { return }
    events?.append(
      RecognisedEvent(kind: .posture, start: segment.start, end: segment.end, text: segment.posture.rawValue))
  }
}
