import Testing

/// Compares the filters' results for sample logs with committed files, so that a change of behaviour changes these
/// files.
///
/// The files are only rewritten on request: `UPDATE_GOLDEN=1 make test FILTER=GoldenTrace`.
@Suite struct GoldenTraceTests {
  /// The rates, in Hz, that yield 48 rows of each log.
  private static let rates = ["random-spline": 2, "walk": 2, "car": 0.8]

  @Test(
    "the filters' output on a sample log equals the committed output", arguments: rates.keys.sorted(),
    FilterKind.all.map(\.name))
  func trace(log: String, filter: String) throws {
    let (golden, folder) = (Checkout.url("Tests/Tools/Jobs/Golden/\(log).\(filter).csv"), TemporaryFolder())
    var options = FusionOptions()
    (options.filter, options.rate, options.digits) = (filter, Self.rates[log], 9)
    options.motion.frame = .xMagneticNorthZVertical
    options.columns = try FusedColumn.named([
      "time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "userAccelerationX", "gyroscopeBiasX",
      "magneticFieldAccuracy", "heading", "status",
    ])
    let input = Checkout.url("Notebooks-data/logs/\(log).csv").path
    _ = try FusionJob(input: input, output: folder.path("trace.csv"), options: options).run()
    let trace = folder.text("trace.csv")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try trace.write(to: golden, atomically: true, encoding: .utf8)
    }
    let (expected, found) = (try TextTable(String(contentsOf: golden, encoding: .utf8)).rows, TextTable(trace).rows)
    try #require(found.count == expected.count && expected.count == 48)
    for (row, (a, b)) in zip(found, expected).enumerated() {
      try #require(a.count == b.count, "row \(row)")
      for (x, y) in zip(a, b) where !(x.isNaN && y.isNaN) {
        // BLAS and libm differ between machines in the last bits, which accumulate in filters.
        #expect(abs(x - y) <= 1e-6 * max(1, abs(y)), "row \(row): \(x) instead of \(y)")
      }
    }
  }
}
