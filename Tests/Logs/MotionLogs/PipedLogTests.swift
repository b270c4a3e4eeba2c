import Foundation
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Logs through a pipe: the same bytes yield the same samples or the same error.
@Suite struct PipedLogTests {
  private struct Outcome: Equatable {
    var format: String?
    var samples: [SensorSample] = []
    var problem: String?
  }

  /// Returns the samples of a log, or the problem of its error without the path.
  private func outcome(_ path: String) -> Outcome {
    var outcome = Outcome()
    do throws(LogError) {
      var reader = try openLog(path: path)
      outcome.format = reader.description.format
      #expect(reader.description.path == path)
      while try reader.read(into: &outcome.samples) {}
      // A reader reports its findings only once.
      var more: [SensorSample] = []
      #expect(try !reader.read(into: &more))
    } catch {
      let reported = error.description.replacing(path, with: "LOG")
      #expect(reported.hasPrefix("LOG") && !reported.contains("inertial-"), "\(error) names a private file")
      outcome.problem = error.problem.replacing(path, with: "LOG")
    }
    return outcome
  }

  /// Writes bytes to a pipe from a separate thread, like another program.
  private func pipe(_ bytes: [UInt8], in folder: TemporaryFolder) -> String {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread {
      guard let file = fopen(path, "w") else { return }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
    return path
  }

  @Test("every single-file format is recognized and read through a pipe as from its path")
  func everyFormat() throws {
    signal(SIGPIPE, SIG_IGN)
    var equal: Set<String> = []
    var refused: Set<String> = []
    for subject in FuzzTests.Subject.all {
      guard let format = subject.format, LogFormat(id: format)?.isFolder == false || format == "zip" else { continue }
      for (name, bytes) in subject.files where !name.contains("/") {
        // The file alone: companion files are not read with a pipe.
        let folder = TemporaryFolder()
        let file = outcome(folder.write(bytes, to: name))
        let piped = outcome(pipe(bytes, in: folder))
        if name.hasSuffix("_motion.tsv") {
          // A companion file describes the columns.
          #expect(piped.problem?.isEmpty == false)
          refused.insert(format)
          continue
        }
        #expect(piped.format == file.format && piped.problem == file.problem, "\(subject), \(name)")
        #expect(same(piped.samples, file.samples), "\(subject), \(name)")
        if file.problem == nil { equal.insert(format) } else { refused.insert(format) }
      }
    }
    refused.subtract(equal)
    print("through a pipe: \(equal.count) formats equal, \(refused.count) refused (\(refused.sorted()))")
    #expect(equal.count >= 18)
    // Without an option, their files are refused by path, too.
    #expect(refused.isSubset(of: ["bids-motion", "float32-rows", "motionsense", "vectornav"]))
  }

  /// Whether samples are equal; NaN equals NaN.
  private func same(_ one: [SensorSample], _ other: [SensorSample]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { a, b in
        a.time.bitPattern == b.time.bitPattern && a.channel == b.channel && a.line == b.line
          && [a.x, a.y, a.z, a.w].map(\.bitPattern) == [b.x, b.y, b.z, b.w].map(\.bitPattern)
      }
  }

  @Test("a table longer than the recognized head is piped completely, without leftovers")
  func long() throws {
    let rows = (0..<20_000).map { "\(Double($0) / 100),0,0,-1,0.001,0,\($0)\n" }
    let text =
      "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n" + rows.joined()
    let folder = TemporaryFolder()
    let file = outcome(folder.write(text, to: "log.csv"))
    let piped = outcome(pipe(Array(text.utf8), in: folder))
    #expect(file.samples.count == 40_000)
    #expect(same(file.samples, piped.samples))
    // A format whose pipe is copied first.
    let header = PhyphoxExport().table(["Time (s)"] + PhyphoxExport.axes("Gyroscope", "rad/s"), [])
    let many = header + (0..<20_000).map { "\($0)E-2,1E0,2E0,3E0\n" }.joined()
    try FileManager.default.removeItem(atPath: folder.path("pipe"))
    let copied = outcome(pipe(Array(many.utf8), in: folder))
    #expect(copied.format == "phyphox-csv" && copied.samples.count == 20_000)
  }

  @Test("an empty pipe and later damage are reported with the pipe's name")
  func errors() {
    let empty = TemporaryFolder()
    #expect(outcome(pipe([], in: empty)).problem == "the file is empty")
    let folder = TemporaryFolder()
    let path = pipe(
      Array("\"Time (s)\",\"X (rad/s)\",\"Y (rad/s)\",\"Z (rad/s)\"\n0E0,1E0,2E0,3E0\n1E0,a,0E0,0E0\n".utf8), in: folder
    )
    let error = logError(of: try readAll(openLog(path: path)))
    #expect(error?.description == "\(path):3:2: \"a\" is not a number; repair or remove the line")
  }
}
