internal import InertialRecognition

extension ActivityClass {
  /// Creates the activity that a label denotes, or returns `nil` if it denotes none of the classes, such as "falling".
  ///
  /// Sitting, standing, lying and kneeling are stationary. Turning on foot and stairs are walking. Gestures,
  /// exercises, standing up and sitting down are other motion. The activity names of Android and Google are supported.
  init?(label: String) {
    let word = String(label.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
    guard let activity = ActivityClass(rawValue: word) ?? Self.synonyms[word] else { return nil }
    self = activity
  }

  private static let synonyms: [String: ActivityClass] = [
    "sitting": .stationary, "seated": .stationary, "standing": .stationary, "lying": .stationary,
    "kneeling": .stationary, "still": .stationary, "rest": .stationary, "none": .stationary, "sit": .stationary,
    "stand": .stationary, "walk": .walking,
    "turning": .walking, "on_foot": .walking, "stairs": .walking,
    "stairs_up": .walking, "stairs_down": .walking, "run": .running, "jogging": .running, "bicycle": .cycling,
    "biking": .cycling, "on_bicycle": .cycling, "cycle": .cycling, "driving": .automotive, "drive": .automotive,
    "standing_up": .other, "sitting_down": .other, "gesture": .other, "handling": .other, "exercise": .other,
    "skiing": .other, "swimming": .other,
    "car": .automotive, "bus": .automotive, "train": .automotive, "in_vehicle": .automotive, "vehicle": .automotive,
  ]
}
