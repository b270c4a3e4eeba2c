internal import InertialSensors

/// A sound file recorded together with a log, whose level becomes the channel `microphone`.
package struct SoundSource: Sendable, Encodable, Equatable {
  /// The path of a WAV file, or of a compressed file if the build has a decoder: see `SoundLevelReader`.
  package var path: String
  /// The time of the file's beginning on the log's clock, in seconds; `nil`: the log's first motion sample.
  package var start: Double?
  package var frequencyWeighting = FrequencyWeighting.flat
  package var timeWeighting = SoundLevelReader.TimeWeighting.mean

  package init(path: String, start: Double? = nil) {
    self.path = path
    self.start = start
  }

  /// The file and the measurement of its level, in one line.
  package var text: String {
    let start = start.map { " from \($0) s" } ?? ""
    return "\(path)\(start), \(frequencyWeighting.rawValue), \(timeWeighting.rawValue)"
  }

  /// Returns the levels of the whole file, on the log's clock.
  func levels(logStart: Double) throws(LogError) -> [AuxiliarySample] {
    var levels: [AuxiliarySample] = []
    var reader = try SoundLevelReader(
      path: path, frequencyWeighting: frequencyWeighting, timeWeighting: timeWeighting, start: start ?? logStart)
    while try reader.read(into: &levels) {}
    return levels
  }
}
