// What the recognisers tell of recordings with other limits than theirs:
//
//   swift run --package-path Notebooks-data -c release RecogniserLimits PATHS
//
// PATHS is a file with a log in each line. Each line of standard input is an object of limits by name, {} for those that are
// built in; each is answered by a line: for every log its first and last time, segments and the times of its steps.
// Notebooks-data/scripts/recogniser_limits.py runs this. Air pressure and speed are left out.
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
      var classifier = ActivityClassifier.Parameters()
      classifier.vehicle = try changed(classifier.vehicle, limits)
      let pedometer = try changed(Pedometer.Parameters(), limits)
      let answers = recordings.map { Told(of: $0, classifier, pedometer) }
      // Not printed: who asks waits for the answer, and a pipe's output is kept back.
      FileHandle.standardOutput.write(try JSONEncoder().encode(answers) + Data("\n".utf8))
    }
  }

  /// The value with those of the limits that it has.
  private static func changed<Value: Codable>(_ value: Value, _ limits: [String: Double]) throws -> Value {
    var fields = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as! [String: Any]
    for (name, limit) in limits where fields[name] != nil { fields[name] = limit }
    return try JSONDecoder().decode(Value.self, from: JSONSerialization.data(withJSONObject: fields))
  }
}

/// What is told of a recording, by the names of the command's JSON.
struct Told: Encodable {
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
