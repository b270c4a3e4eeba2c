import Foundation
import InertialRotations
import TestSupport
import Testing

@testable import InertialJobs

@Suite("Clocks of a log, a reference and an estimate") struct EvaluationClockTests {
  private let folder = TemporaryFolder()

  /// Writes the orientations of a device that rotates about the vertical, from a row on, and returns the path.
  private func orientations(
    _ name: String, from first: Int = 0, _ stamp: (Int) -> String = { "\(1_700_000_000_000_000_000 + 10_000_000 * $0)" }
  ) -> String {
    let rows = (first..<1000).map { row in
      let half = 0.5 * sin(0.01 * Double(row))
      return "\(stamp(row)),0,0,\(sin(half)),\(cos(half))\n"
    }
    return folder.write("time,quaternionX,quaternionY,quaternionZ,quaternionW\n" + rows.joined(), to: name)
  }

  private func error(_ log: String, _ reference: String, _ estimate: String) throws -> Double {
    var options = EvaluationJob.Options()
    (options.referencePath, options.estimatePath) = (reference, estimate)
    (options.referenceFrame, options.estimateFrame) = (.nwu, .nwu)
    return try #require(EvaluationJob(options: options).run(on: log).scores.first).errors.total.rmse
  }

  @Test("times since 1970 are matched by their absolute values, whichever file begins first", arguments: [0, 200])
  func absolute(first: Int) throws {
    let (log, later) = (orientations("log.csv"), orientations("later.csv", from: first))
    #expect(try error(log, later, log) < 1e-6)
    #expect(try error(later, log, log) < 1e-6)
    #expect(try error(log, log, later) < 1e-6)
    // In seconds since 1970.
    let seconds = orientations("seconds.csv", from: first) { "\(1_700_000_000 + Double($0) / 100)" }
    #expect(try error(log, seconds, later) < 1e-4)
  }

  @Test("times without an epoch are compared as they are")
  func relative() throws {
    let log = orientations("log.csv")
    let relative = orientations("relative.csv", from: 200) { "\(Double($0) / 100)" }
    #expect(try error(log, relative, relative) < 1e-6)
  }
}
