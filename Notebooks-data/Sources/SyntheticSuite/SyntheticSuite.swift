// Compares filters on the simulated scenes, with ground truth in closed form: root mean square errors in degrees (total /
// heading / inclination), and their ratio to vqf.
//
// swift run -c release --package-path Notebooks-data SyntheticSuite [OPTIONS]
//   --filters a,b        filters by name; default kalman,vqf, each with its offline form if it exists
//   --scenes a,b         scenes by name; default all
//   --seeds N            devices and motions per scene; default 5
//   --set F.NAME=VALUE   a parameter of one filter, or NAME=VALUE of every filter that has it; repeatable
//   --told               filters get the sensors' noise
//   --sigma              fractions of errors within one and two stated sigmas (ideally 68 and 95 %) instead of errors
//   --exact-field        magnetometers with exact calibration
//   --recordings FOLDER  these fractions on the recordings with a reference in a folder, instead of on scenes
//   --latency SECONDS    the delay of the recordings' inertial timestamps; default 0
//   --align              removes constant differences of the recordings' frames and clocks
//   --without-field      leaves the magnetometers of recordings out
//   --skip SECONDS       the unevaluated time at the start of recordings
//   --reference NAME     the references, in or beside each recording, in the frame NWU; default: in the log
//   --si-units           units of logs that state none: m/s2, rad/s and uT
//   --json               one JSON document
import Foundation
import Inertial
import InertialNumerics
import InertialResearch

@main struct SyntheticSuite {
  static func main() throws {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    if let folder = options.recordings {
      try printRecordings(folder, options)
      return
    }
    var study = SceneStudy()
    study.scenes = options.scenes
    study.seeds = Array(1...options.seedCount)
    study.setsNoiseParameters = options.setsNoiseParameters
    var columns: [[SceneStudy.Score]] = []
    for filter in options.filters {
      for smooths in options.states(of: filter.kind) {
        columns.append(try study.run(filter, smooths: smooths))
      }
    }
    if options.isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(columns.flatMap { $0 }), as: UTF8.self))
    } else if options.showsSigma {
      printSigmas(columns)
    } else {
      printErrors(columns)
    }
  }

  // MARK: Errors

  static func printErrors(_ columns: [[SceneStudy.Score]]) {
    let base = columns.first { $0.first?.filter == "vqf" && $0.first?.isOffline == false }
    let titles = columns.map { $0.first.map { $0.filter + ($0.isOffline ? " --smooth" : "") } ?? "" }
    print("| scene | " + titles.joined(separator: " | ") + " |")
    print("|---|" + titles.map { _ in "---|" }.joined())
    for row in columns.first?.indices ?? 0..<0 {
      let cells = columns.map { column in
        let score = column[row]
        let errors = "\(text(score.total)) / \(text(score.heading)) / \(text(score.inclination))"
        return errors + (base.map { " (×\(text(score.total / $0[row].total)))" } ?? "")
      }
      print("| \(columns[0][row].scene) | \(cells.joined(separator: " | ")) |")
    }
    // Ratios are averaged as logarithms.
    let means = columns.map { column in
      let values = [\SceneStudy.Score.total, \.heading, \.inclination].map { path in
        exp(Statistics.mean(column.map { log($0[keyPath: path]) })!)
      }
      let errors = values.map { text($0) }.joined(separator: " / ")
      let ratio = base.map { base in
        exp(Statistics.mean(zip(column, base).map { log($0.total / $1.total) })!)
      }
      return errors + (ratio.map { " (×\(text($0)))" } ?? "")
    }
    print("| geometric mean | \(means.joined(separator: " | ")) |")
  }

  // MARK: Sigmas

  static func printSigmas(_ columns: [[SceneStudy.Score]]) {
    print("filter,scene,tiltInsideOne,tiltInsideTwo,tiltNormalised,headingInsideOne,headingInsideTwo,headingNormalised")
    for column in columns where column.contains(where: { $0.coverage.tilt.count > 0 }) {
      var pooled = SigmaCoverage()
      for score in column {
        pooled.add(score.coverage)
        printLine(score.filter + (score.isOffline ? " --smooth" : ""), score.scene, score.coverage)
      }
      printLine(column[0].filter + (column[0].isOffline ? " --smooth" : ""), "all", pooled)
    }
  }

  static func printRecordings(_ folder: String, _ options: Options) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    var study = SigmaStudy()
    study.latency = options.latency
    study.comparison.skip = options.skip
    if options.aligns { (study.comparison.alignment, study.comparison.clockAlignment) = (.frame, ClockAlignment()) }
    // Recordings without a reference are left out.
    let recordings = names.compactMap { name in
      (try? job(for: folder + "/" + name, options).load(folder + "/" + name)).map { recording in
        guard options.isWithoutField else { return (name: name, recording: recording) }
        var inertial = recording
        inertial.samples.removeAll { $0.channel == .magnetometer || $0.channel == .calibratedMagneticField }
        return (name: name, recording: inertial)
      }
    }
    print(
      "filter,recording,tiltInsideOne,tiltInsideTwo,tiltNormalised,headingInsideOne,headingInsideTwo,headingNormalised")
    for filter in options.filters {
      for smooths in options.states(of: filter.kind) {
        let name = filter.kind.name + (smooths ? " --smooth" : "")
        var pooled = SigmaCoverage()
        for (name:recordingName, recording) in recordings {
          let coverage = try study.coverage(of: filter, on: recording, smooths: smooths)
          guard coverage.tilt.count > 0 else { continue }
          printLine(name, recordingName, coverage)
          pooled.add(coverage)
        }
        if pooled.tilt.count > 0 { printLine(name, "all", pooled) }
      }
    }
  }

  /// Returns the job that loads a recording.
  static func job(for path: String, _ options: Options) -> EvaluationJob {
    var own = EvaluationJob.Options()
    own.log = options.log
    if options.isWithoutField { own.motion.frame = .xArbitraryZVertical }
    if let reference = options.reference {
      let inside = path + "/" + reference
      let isFolder = FileManager.default.fileExists(atPath: inside)
      own.referencePath = isFolder ? inside : path.prefix(upTo: path.lastIndex(of: "/")!) + "/" + reference
      own.referenceFrame = .nwu
    }
    return EvaluationJob(options: own)
  }

  static func printLine(_ filter: String, _ subject: String, _ coverage: SigmaCoverage) {
    let numbers = [coverage.tilt, coverage.heading].flatMap {
      [$0.fractionInsideOne, $0.fractionInsideTwo, $0.normalisedRMS]
    }
    print("\(filter),\(subject),\(numbers.map { String(format: "%.3f", $0) }.joined(separator: ","))")
  }

  static func text(_ value: Double) -> String { String(format: "%.2f", value) }
}
