import Foundation
import Inertial
import TestSupport
import Testing

/// Compares the filters' results for a sample log with committed files, so that a change of behaviour changes these
/// files.
///
/// The files are only rewritten on request: `UPDATE_GOLDEN=1 swift test --filter GoldenTrace`.
@Suite struct GoldenTraceTests {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let log = Checkout.url("Notebooks-data/logs/random-spline.csv")

  @Test("the filters' output on a sample log equals the committed output", arguments: FilterKind.all.map(\.name))
  func trace(_ filter: String) throws {
    let golden = Self.here.appendingPathComponent("Golden/random-spline.\(filter).csv")
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("inertial-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: output) }
    var options = FusionOptions()
    options.filter = filter
    options.motion.frame = .xMagneticNorthZVertical
    options.rate = 2
    options.digits = 9
    options.columns = try FusedColumn.named([
      "time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "userAccelerationX", "gyroscopeBiasX",
      "magneticFieldAccuracy", "heading", "status",
    ])
    _ = try FusionJob(input: Self.log.path, output: output.path, options: options).run()
    let trace = try String(contentsOf: output, encoding: .utf8)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try trace.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try table(String(contentsOf: golden, encoding: .utf8))
    let found = try table(trace)
    try #require(found.count == expected.count)
    for (row, (a, b)) in zip(found, expected).enumerated() {
      try #require(a.count == b.count, "row \(row)")
      for (x, y) in zip(a, b) where !(x.isNaN && y.isNaN) {
        // BLAS and libm differ between machines in the last bits, which accumulate in filters.
        #expect(abs(x - y) <= 1e-6 * max(1, abs(y)), "row \(row): \(x) instead of \(y)")
      }
    }
  }

  private func table(_ text: String) throws -> [[Double]] {
    text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    }
  }
}
