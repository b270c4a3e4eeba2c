public import DeviceMotionEstimation
internal import Foundation
public import MotionLogs

/// What a source has told beside samples. Added to Apple's interface.
public enum SensorSourceStatus: Sendable, Equatable {
  /// Nothing has come for so many seconds; it is over with the next sample.
  case silent(Double)
  /// Nothing more will come; with the reason, where it is a fault.
  case ended(LogError?)
}

/// The sensors that managers use which were given none: those of the process, as a device has them.
///
/// Set by a call, else by the environment variable `INERTIAL_SOURCE`, which is looked at once, when the first manager
/// asks. Without either every sensor is unavailable.
public enum MotionSensors {
  /// The environment's name for the source.
  public static let environmentName = "INERTIAL_SOURCE"

  private static let chosen = Chosen()

  /// The process's source; nil where there is none.
  public static var defaultSource: (any SensorSource)? { chosen.source }

  /// Makes a source the process's. Managers that are active go on with the one they have. Nil: there are no sensors,
  /// whatever the environment says.
  public static func setDefault(_ source: (any SensorSource)?) { chosen.set(source) }

  /// The source that a text describes: the path of a log, "-" for standard input, or `udp://host:port`.
  ///
  /// A log is played in real time, with `?speed=2` at the end of the path twice as fast, with `?speed=max` as fast as
  /// possible. A stream has an accelerometer, a gyroscope and a magnetometer, with `?channels=accelerometer,gyroscope`
  /// those that are named.
  /// - Throws: where the text is wrong or the log cannot be read.
  public static func source(_ text: String) throws(LogError) -> any SensorSource {
    let description = try SourceDescription(text)
    guard StreamAddress.isStream(description.path) else {
      return try RecordingSource(path: description.path, speed: description.speed)
    }
    return try StreamSource(StreamAddress(description.path), channels: description.channels)
  }

  private final class Chosen: @unchecked Sendable {
    private let monitor = Monitor()
    private var current: (any SensorSource)?
    private var isChosen = false

    var source: (any SensorSource)? {
      monitor.withLock {
        if !isChosen {
          isChosen = true
          current = MotionSensors.environmentSource(ProcessInfo.processInfo.environment)
        }
        return current
      }
    }

    func set(_ source: (any SensorSource)?) {
      let last = monitor.withLock {
        defer { (current, isChosen) = (source, true) }
        return current
      }
      withExtendedLifetime(last) {}
    }
  }

  /// A source that cannot be opened is said on standard error: there is nobody else to be told, as an app that finds no
  /// sensors just goes without.
  static func environmentSource(_ environment: [String: String]) -> (any SensorSource)? {
    guard let text = environment[environmentName], !text.isEmpty else { return nil }
    do throws(LogError) {
      return try source(text)
    } catch {
      FileHandle.standardError.write(Data("\(environmentName): \(error)\n".utf8))
      return nil
    }
  }
}
