// Runs the recognisers on recordings with other limits than the built-in ones:
//
//   swift run --package-path Notebooks-data -c release RecogniserLimits PATHS
//
// PATHS is a file with one log per line. Each line of standard input is an object of limits by name; {} selects the built-in
// limits. Each line is answered by one line with the first and last time, segments and step times of every log. The line
// {"windows":1} is answered by one line with the measures of the windows of every log.
// Notebooks-data/studies/recogniser_limits.py runs this. Air pressure and speed are left out.
import Foundation
import Inertial

@testable import InertialRecognition

@main struct RecogniserLimits {
  static func main() throws {
    guard let list = CommandLine.arguments.dropFirst().first else {
      print("usage: RecogniserLimits PATHS, a file with a log in each line")
      exit(2)
    }
    let paths = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map(String.init)
    let recordings = try paths.map { try ActivityJob(input: $0).samples() }
    while let line = readLine() {
      let limits = try JSONDecoder().decode([String: Double].self, from: Data(line.utf8))
      if limits["windows"] != nil {
        FileHandle.standardOutput.write(try JSONEncoder().encode(recordings.map(measures)) + Data("\n".utf8))
        continue
      }
      var classifier = ActivityClassifier.Parameters()
      classifier.vehicle = try changed(classifier.vehicle, limits)
      let pedometer = try changed(Pedometer.Parameters(), limits)
      let answers = recordings.map { RecordingResult(of: $0, classifier, pedometer) }
      // Written without buffering, because the caller waits for the answer.
      FileHandle.standardOutput.write(try JSONEncoder().encode(answers) + Data("\n".utf8))
    }
  }

  /// Returns the measures of the windows with a known rotation rate that the limits of rides apply to.
  private static func measures(_ samples: [MotionSample]) -> [[String: Double]] {
    var windows = ActivityWindows()
    return samples.compactMap { windows.update($0) }.compactMap { window in
      guard let rotation = window.rotation else { return nil }
      let slow = Double(window.slow)
      var measures = [
        "start": window.start, "end": window.end, "fast": Double(window.fast), "slow": slow,
        "ratio": Double(window.fast / window.slow), "level": Double(window.level), "tilt": Double(window.tilt),
        "kurtosis": Double(window.kurtosis), "lift": Double(window.lift), "strength": rotation.strength,
        "planarity": rotation.planarity, "regularity": rotation.regularity, "rate": window.rate,
        "carried": slow / max(rotation.strength, 0.003),
        "jolts": Double(window.fast) / max(rotation.strength, 0.003),
      ]
      if let period = rotation.period {
        measures["radius"] = rotation.radius(of: slow)
        measures["swing"] = 2.0.squareRoot() * rotation.strength * period / (2 * .pi)
        measures["beats"] = Double(window[.verticalPeakFrequency]) * period
      }
      return measures
    }
  }

  /// Returns the value with the limits that it contains.
  private static func changed<Value: Codable>(_ value: Value, _ limits: [String: Double]) throws -> Value {
    var fields = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as! [String: Any]
    for (name, limit) in limits where fields[name] != nil { fields[name] = limit }
    return try JSONDecoder().decode(Value.self, from: JSONSerialization.data(withJSONObject: fields))
  }
}

/// The detections in a recording, with the names of the command's JSON.
struct RecordingResult: Encodable {
  struct Segment: Encodable {
    var start: Double
    var end: Double
    var flags: [String]
  }

  var firstTime: Double
  var lastTime: Double
  var segments: [Segment]
  var stepTimes: [Double]

  init(
    of samples: [MotionSample], _ parameters: ActivityClassifier.Parameters, _ pedometer: Pedometer.Parameters
  ) {
    var pass = ActivityPass(ActivityClassifier(parameters: parameters), pedometer: pedometer)
    var history = PedometerHistory()
    for sample in samples { for output in pass.take(sample).steps { history.append(output) } }
    for output in pass.finish() { history.append(output) }
    (firstTime, lastTime) = (samples.first?.time ?? 0, samples.last?.time ?? 0)
    segments = pass.history.segments().map { Segment(start: $0.start, end: $0.end, flags: $0.flags.names) }
    stepTimes = history.leavingOut(pass.history.rides).steps.map(\.time)
  }
}
