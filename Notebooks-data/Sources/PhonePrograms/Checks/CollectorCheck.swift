import CoreMotionCompatibility
import Foundation

/// Checks the collector on logs, including a log with all sixteen kinds.
@MainActor enum CollectorCheck {
  static func run(_ logs: [Log], _ report: inout Report) async throws {
    report.note("\nCollector of \(Kind.allCases.count) kinds of data")
    for log in logs { await check(try Playback(log), log.name, &report) }
    guard logs.isEmpty else { return }
    let walk = PhonePrograms.simulated("walk.csv")
    await check(try Playback(walk), walk.name, &report, steps: 43...47)
    let everything = try withEverything(walk.path)
    await check(Playback(everything), "walk.csv with the channels of a phone", &report, all: true, steps: 43...47)
    for path in ["iphone-xs/rec_2019-06-21_arkit", "sensor-logger/iphone12promax-ski"] {
      if let log = PhonePrograms.recording(path) { await check(try Playback(log), log.name, &report) }
    }
  }

  private static func check(
    _ playback: Playback, _ name: String, _ report: inout Report, all: Bool = false, steps: ClosedRange<Int>? = nil
  ) async {
    let source = playback.source
    let collector = SensorCollector()
    let channels = source.attach(LogChannels(collector))
    collector.start()
    await playback.play()
    collector.finish()
    // The timer and the pedometer's queue finish later.
    let sensors = source.channels
    let isWhole = await eventually {
      collector.row.map { row in
        (row.rotationRate != nil) == sensors.contains(.gyroscope)
          && (row.magneticField != nil) == sensors.contains(.magnetometer)
      } ?? false && (steps?.contains(collector.steps) ?? true)
    }
    collector.stop()
    channels.cancel()
    let counts = collector.counts
    let expected = all ? Set(Kind.allCases) : LogChannels.kinds(of: source)
    let missing = expected.subtracting(counts.keys)
    let text = Kind.allCases.compactMap { kind in counts[kind].map { "\(kind.rawValue) \($0)" } }.joined(
      separator: ", ")
    report.check(missing.isEmpty, "\(name): \(counts.count) kinds: \(text); \(collector.steps) steps")
    if !missing.isEmpty {
      report.note("         missing: \(missing.map(\.rawValue).sorted().joined(separator: ", "))")
    }
    report.check(isWhole, "\(name): a row has the latest value of each motion sensor, and the steps are all there")
    if all {
      let perSecond: [Kind] = [
        .altimeter, .absoluteAltitude, .location, .compass, .proximity, .light, .soundLevel, .battery,
      ]
      report.check(perSecond.allSatisfy { counts[$0] == 24 }, "\(name): each channel of 1 Hz has 24 values")
      let motion: [Kind] = [.accelerometer, .gyroscope, .deviceMotion, .attitude, .headphones]
      report.check(motion.allSatisfy { counts[$0] == 2400 }, "\(name): each motion sensor has 2400 values")
    }
  }

  /// Returns a log's motion with every other channel of a phone at 1 Hz. Their values are arbitrary, because they are only
  /// counted.
  private static func withEverything(_ path: String) throws -> RecordingSource {
    let channels: [AuxiliaryChannel] = [
      .barometer, .absoluteAltitude, .location, .compass, .proximity, .light, .microphone, .battery,
    ]
    var reader = try openLog(path: path)
    var samples: [SensorSample] = []
    while try reader.read(into: &samples) {}
    let others = (0..<24).flatMap { second in
      channels.map { channel in
        var sample = AuxiliarySample(time: Double(second), channel: channel)
        for field in channel.fields { sample[field.name] = field.name == "pressure" ? 101.3 : 1 }
        return sample
      }
    }
    return RecordingSource(samples: samples, auxiliary: others, name: path, speed: .infinity, isPaused: true)
  }
}
