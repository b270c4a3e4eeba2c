import Foundation
import Inertial
import InertialSimulation
import TestSupport

@testable import InertialFigures

/// A folder with simulated logs, and the pages that are made of them; removed with it.
final class PageFolder {
  let files = TemporaryFolder()

  init() throws {}

  func path(_ name: String) -> String { files.path(name) }

  /// A walk as a phone records it, with its truth in `NAME.truth.csv`; without the samples of a pause.
  @discardableResult
  func walk(
    _ name: String, duration: Double = 20, trajectory: any Trajectory = WalkTrajectory(),
    pause: ClosedRange<Double>? = nil
  ) throws -> String {
    let samples = Simulation(trajectory: trajectory, sensors: .phone, duration: duration, seed: 5).samples().filter {
      !(pause?.contains($0.time) ?? false)
    }
    try RawLogWriter.write(samples, to: path(name))
    try RawLogWriter.writeReference(samples, to: path(name + ".truth.csv"))
    return path(name)
  }

  /// Removes the field of a log between two times.
  func withoutField(_ log: String, from: Double, to: Double) throws {
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { line -> String in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      guard let time = Double(cells[0]), (from...to).contains(time) else { return String(line) }
      return cells.dropLast(3).joined(separator: ",") + ",,,"
    }
    try (lines.joined(separator: "\n") + "\n").write(toFile: log, atomically: true, encoding: .utf8)
  }

  /// Writes an event beside a log, in the log's own words.
  func annotate(_ log: String, at time: Double, _ text: String) throws {
    var sample = AuxiliarySample(time: time, channel: .annotation)
    sample.set(text: 0, text)
    let writer = try EventTableWriter(path: log + ".events.csv", channels: [.annotation], force: true)
    writer.append(sample)
    try writer.close()
  }

  /// Makes the page of a log, beside the log or with a name.
  func page(
    of log: String, _ filters: [String] = ["kalman"], to name: String? = nil,
    _ change: (inout ReportOptions) -> Void = { _ in }
  ) async throws -> GeneratedPage {
    let options = try Self.options(filters, change)
    return try GeneratedPage(
      try await RecordingReport(input: log, output: name.map { path($0) }, options: options).run())
  }

  static func options(
    _ filters: [String] = ["kalman"], _ change: (inout ReportOptions) -> Void = { _ in }
  ) throws -> ReportOptions {
    var options = ReportOptions(filters: try filters.map { ConfiguredFilter(try FilterKind.all.known($0)) })
    (options.fusion.recognitions, options.fusion.channels) = (Recognition.allCases, .all)
    options.fusion.placement = .thigh
    options.fusion.frameNeedsField = false
    options.fusion.motion.frame = .commandDefault
    options.evaluation.measuresCost = false
    change(&options)
    return options
  }
}

/// The contents of a page, read as its script does.
struct GeneratedPage {
  let result: RecordingReport.Result
  let text: String
  let content: [String: Any]
  let recipe: [String: Any]

  init(_ result: RecordingReport.Result) throws {
    self.result = result
    text = try String(contentsOfFile: result.output, encoding: .utf8)
    let facts = try Self.element("facts", in: text)
    let document = try JSONSerialization.jsonObject(with: Data(facts.utf8)) as? [String: Any]
    content = document?["content"] as? [String: Any] ?? [:]
    recipe = document?["recipe"] as? [String: Any] ?? [:]
  }

  struct Lack: Error, CustomStringConvertible { var description: String }

  static func element(_ id: String, in text: String) throws -> String {
    guard let begin = text.range(of: "id=\"\(id)\">"),
      let end = text.range(of: "</script>", range: begin.upperBound..<text.endIndex)
    else { throw Lack(description: "the page has no element \(id)") }
    return String(text[begin.upperBound..<end.lowerBound])
  }

  var tables: [[String: Any]] { content["tables"] as? [[String: Any]] ?? [] }
  var plots: [[String: Any]] { content["plots"] as? [[String: Any]] ?? [] }
  var lanes: [String: [Double]] {
    let lanes = content["lanes"] as? [[String: Any]] ?? []
    return Dictionary(lanes.map { ($0["name"] as? String ?? "", $0["times"] as? [Double] ?? []) }) { first, _ in first }
  }

  /// A column's numbers by its name, with the step between them.
  func column(_ name: String, table: Int = 0) throws -> (values: [Double], step: Double) {
    guard let columns = tables[table]["columns"] as? [[String: Any]],
      let position = columns.firstIndex(where: { $0["name"] as? String == name }),
      let step = columns[position]["step"] as? Double, let offset = columns[position]["offset"] as? Double,
      let count = tables[table]["samples"] as? Int
    else { throw Lack(description: "the table \(table) has no column \(name)") }
    let block = try Self.element("block-\(table)-\(position + 1)", in: text)
    let bytes = try Self.unpacked(Array(Data(base64Encoded: block) ?? Data()), count: 2 * count)
    return (Self.values(bytes).map { $0 == .min ? .nan : offset + step * Double($0) }, step)
  }

  /// The numbers of a column, as `codec.js` decodes them.
  static func values(_ bytes: [UInt8]) -> [Int16] {
    let count = bytes.count / 2
    var last: Int16 = 0
    return (0..<count).map { index in
      let zigzag = UInt16(bytes[index]) | UInt16(bytes[count + index]) << 8
      last = last &+ (Int16(bitPattern: zigzag >> 1) ^ -Int16(zigzag & 1))
      return last
    }
  }

  static func unpacked(_ packed: [UInt8], count: Int) throws -> [UInt8] {
    let stream = ZlibStream(inflating: .raw)
    var bytes = [UInt8](repeating: 0, count: count)
    let written = packed.withUnsafeBytes { input in
      stream.input = input
      return bytes.withUnsafeMutableBytes { stream.inflate(into: $0) }
    }
    guard written == count, stream.isAtEnd else { throw Lack(description: "a block is incomplete") }
    return bytes
  }
}
