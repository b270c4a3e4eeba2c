internal import Foundation
public import InertialLive
public import InertialLogs

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

  /// The source that a text describes: the path of a log, "-" for standard input, `udp://host:port` or
  /// `tcp://host:port`, or the page of a live server (`inertial serve`), `http://host:port/`.
  ///
  /// Settings come behind a question mark, with `&` between them:
  ///
  /// - `speed` of a log: 2 is twice as fast as real time, the default; `max` as fast as possible.
  /// - `unheard` of a log: what its clock does while no manager is active, once one has been: `runs`, as time does, or
  ///   `stands`, and goes on from there. By default it runs at a speed, and stands at `max`.
  /// - `latitude`, `longitude`, `altitude` (degrees, metres above the ellipsoid) and `date` (2024-05-17 or 2024.37), for
  ///   true north. They go before what a log tells. A place without a date is taken at the epoch of the newest magnetic
  ///   model, and `warnings` says so.
  /// - `channels` of a stream: `accelerometer,gyroscope,magnetometer`, the default, or fewer; `barometer` beside them.
  /// - `device` of a live server: whose samples are read, by its name; else those of the first that sends.
  ///
  /// - Throws: where the text is wrong or the log cannot be read.
  public static func source(_ text: String) throws(LogError) -> any SensorSource {
    let description = try SourceDescription(text)
    guard StreamAddress.isStream(description.path) else {
      return try RecordingSource(
        path: description.path, given: description.given, speed: description.speed, unheard: description.unheard)
    }
    let north = try SourceNorth(of: text, given: description.given)
    var options = LogOptions()
    options.auxiliary = description.auxiliaryChannels
    return try StreamSource(
      StreamAddress(description.path), channels: description.channels, options: options,
      declination: north.declination, warnings: north.warnings)
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

  /// What a source warns of, and why one cannot be opened, is said on standard error: there is nobody else to be told, as an app that finds no
  /// sensors just goes without.
  static func environmentSource(_ environment: [String: String]) -> (any SensorSource)? {
    guard let text = environment[environmentName], !text.isEmpty else { return nil }
    do throws(LogError) {
      let source = try source(text)
      for warning in source.warnings { say("\(source.name): \(warning)") }
      return source
    } catch {
      say("\(error)")
      return nil
    }
  }

  private static func say(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(environmentName): \(line)\n".utf8))
  }
}
