// Times Allan deviations of several series in memory on request, so that it can alternate with another program:
// swift run -c release --package-path Notebooks-data TimeDeviations SERIES ROWS TIMES
//
// SERIES contains doubles, one series of ROWS values at 1 Hz after the other; TIMES is the number of averaging times. It
// answers `run` with the seconds of one run, `processor` with its processor time, and `sum` with the sum of its deviations.
// Used by studies/speed.py.
import Foundation
import Inertial
import InertialCalibration

@main struct TimeDeviations {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let rows = Int(arguments[2]), rows > 1, let times = Int(arguments[3]) else {
      return print("usage: TimeDeviations SERIES ROWS TIMES")
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
    let values = data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
    let series = stride(from: 0, to: values.count, by: rows).map {
      RegularSeries(Array(values[$0..<($0 + rows)]), period: 1)
    }
    let factors = StabilityCurve.factors(times, sampleCount: rows)
    var (seconds, processor, sum) = (0.0, 0.0, 0.0)
    while let line = readLine() {
      switch line {
      case "run":
        let begin = clock()
        var curves: [[StabilityCurve]] = []
        let duration = ContinuousClock().measure { curves = StabilityCurve.curves(of: series, factors: factors) }
        processor = Double(clock() - begin) / Double(CLOCKS_PER_SEC)
        seconds = duration / .seconds(1)
        sum = curves.joined().flatMap(\.points).reduce(0) { $0 + $1.deviation }
        answer(seconds)
      case "processor": answer(processor)
      default: answer(sum)
      }
    }
  }

  /// Writes the answer without buffering, because the caller waits for it.
  static func answer(_ value: Double) { FileHandle.standardOutput.write(Data("\(value)\n".utf8)) }
}
