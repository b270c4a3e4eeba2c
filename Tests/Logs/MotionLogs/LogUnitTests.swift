import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Units by option: a reader that supports one unit supports all units.
@Suite("Units by option") struct LogUnitTests {
  /// The subjects, except the watch's, whose acceleration is a sum with only one part affected by the option.
  static let subjects = FuzzTests.Subject.all.filter { $0.format != nil && $0.format != "sensor-logger-wearable" }

  /// Returns a subject's samples, or `nil` if the subject is refused.
  private func samples(
    _ subject: FuzzTests.Subject, in folder: TemporaryFolder, _ set: (inout LogOptions) -> Void
  ) throws -> [SensorSample]? {
    let format = try #require(subject.format.flatMap(LogFormat.init(id:)))
    let options = with(LogOptions(), set)
    let paths = format.isFolder ? [folder.path] : subject.names.map(folder.path)
    for path in paths {
      if let found = try? readAll(format.reader(of: path, options: options)), !found.isEmpty { return found }
    }
    return nil
  }

  @Test("every format with unit options accepts thousandths of a unit and counts of a register", arguments: subjects)
  func everyReader(subject: FuzzTests.Subject) throws {
    let folder = TemporaryFolder()
    for (name, bytes) in subject.files { folder.write(bytes, to: name) }
    func expect(
      _ channel: SensorChannel, _ set: (inout LogOptions, Int) -> Void,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let read = try (0..<4).map { unit in try samples(subject, in: folder) { set(&$0, unit) }?[channel] }
      guard let plain = read[0], let other = read[1], other != plain else { return }
      for (unit, factor) in [(2, 1e-3), (3, 0.0625)] {
        let scaled = try #require(read[unit], sourceLocation: sourceLocation)
        #expect(plain.count == scaled.count, sourceLocation: sourceLocation)
        let errors = zip(plain, scaled).map { a, b -> Double in
          let expected: Vector3 = factor * a.vector
          return (b.vector - expected).norm - 1e-9 * expected.norm
        }
        #expect(errors.allSatisfy { $0 <= 1e-12 }, "\(channel)", sourceLocation: sourceLocation)
      }
    }
    try expect(.accelerometer) { options, unit in
      // Without it, the unit may determine the sign.
      options.accelerationSign = .specificForce
      options.accelerationUnit = [.g, .metersPerSecondSquared, .named("mg"), .named("16/g")][unit]
    }
    try expect(.gyroscope) { options, unit in
      options.rotationUnit = [.degreesPerSecond, .radiansPerSecond, .named("mdps"), .named("16/dps")][unit]
    }
  }

  @Test("an unknown unit is an error at the log's column")
  func noUnit() throws {
    let path = TemporaryFolder()
    let options = with(LogOptions()) { $0.accelerationUnit = .named("furlong") }
    let text = "time (s),acc_x,acc_y,acc_z\n0,0,0,1\n"
    let error = openError(path.write(text, to: "log.csv"), options)
    #expect(error?.description.contains("unknown unit \"furlong\"") == true, "\(error?.description ?? "")")
  }
}
