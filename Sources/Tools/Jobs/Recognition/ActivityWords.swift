package import InertialRecognition

/// The words by which recordings of activities are labelled.
package enum ActivityWords {
  /// The activity that a label means, or nil where it means none of them, such as "falling".
  ///
  /// Sitting, standing, lying and kneeling are stationary, and so is rising from a chair and sitting down, which leads
  /// nowhere; turning while one walks and stairs are walking; the words of Android's and Google's activities are
  /// understood.
  package static func activity(_ label: String) -> ActivityClass? {
    let word = String(label.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
    return ActivityClass(rawValue: word) ?? synonyms[word]
  }

  private static let synonyms: [String: ActivityClass] = [
    "sitting": .stationary, "seated": .stationary, "standing": .stationary, "lying": .stationary,
    "kneeling": .stationary, "still": .stationary, "rest": .stationary, "none": .stationary, "sit": .stationary,
    "stand": .stationary, "standing_up": .stationary, "sitting_down": .stationary, "walk": .walking,
    "turning": .walking, "on_foot": .walking, "stairs": .walking,
    "stairs_up": .walking, "stairs_down": .walking, "run": .running, "jogging": .running, "bicycle": .cycling,
    "biking": .cycling, "on_bicycle": .cycling, "cycle": .cycling, "driving": .automotive, "drive": .automotive,
    "car": .automotive, "bus": .automotive, "train": .automotive, "in_vehicle": .automotive, "vehicle": .automotive,
  ]
}
