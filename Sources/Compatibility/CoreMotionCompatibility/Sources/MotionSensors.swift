internal import Foundation
public import InertialLive
public import InertialLogs
internal import Synchronization

/// The status of a source. Added to Apple's interface.
public enum SensorSourceStatus: Sendable, Equatable {
  /// The source has delivered no sample for the given number of seconds; ends with the next sample.
  case silent(Double)
  /// The source has ended, with the reason if it is an error.
  case ended(LogError?)
}

/// The process's sensors, which a manager without its own source uses, as on a device.
///
/// They are set by a call, or otherwise by the environment variable `INERTIAL_SOURCE`, which is read once, when the
/// first manager needs a source. Without either, every sensor is unavailable.
public enum MotionSensors {
  /// The environment variable for the source.
  public static let environmentName = "INERTIAL_SOURCE"

  private static let chosen = Mutex<(source: (any SensorSource)?, isChosen: Bool)>((nil, false))

  /// The process's source, or `nil` if there is no source.
  public static var defaultSource: (any SensorSource)? {
    chosen.withLock { chosen in
      if !chosen.isChosen { chosen = (environmentSource(ProcessInfo.processInfo.environment), true) }
      return chosen.source
    }
  }

  /// Sets the process's source. Active managers continue with their current one. If `nil`, there are no sensors,
  /// regardless of the environment.
  public static func setDefault(_ source: (any SensorSource)?) {
    // The previous source is released outside the lock.
    var state = (source: source, isChosen: true)
    chosen.withLock { swap(&$0, &state) }
  }

  /// Creates the source that a string describes: the path of a log, "-" for standard input, `udp://host:port` or
  /// `tcp://host:port`, or the page of a live server (`inertial serve`), `http://host:port/`.
  ///
  /// Settings follow a question mark, separated by `&`:
  ///
  /// - `speed` of a log: the playback speed; 1 is real time and the default, 2 twice as fast; `max` as fast as
  ///   possible.
  /// - `unheard` of a log: the behaviour of its clock while no manager is active, after one has been: `runs`, as time
  ///   does, or `stands`, and resumes later. By default it runs at a finite speed and stands at `max`.
  /// - `latitude`, `longitude`, `altitude` (degrees, metres above the ellipsoid) and `date` (2024-05-17 or 2024.37),
  ///   for true north. They override the log's own. A place without a date uses the epoch of the newest magnetic model,
  ///   with a warning in `warnings`.
  /// - `channels` of a stream: `accelerometer,gyroscope,magnetometer`, the default, or fewer, optionally with
  ///   `barometer`.
  /// - `device` of a live server: the name of the device to read, by default the first one that sends.
  ///
  /// - Throws: `LogError` if the description is invalid or the log cannot be read.
  public static func source(_ text: String) throws(LogError) -> any SensorSource {
    let description = try SourceDescription(text)
    guard StreamAddress.isStream(description.path) else {
      return try RecordingSource(
        path: description.path, given: description.given, speed: description.speed, unheard: description.unheard)
    }
    let declination = try description.given.declination(of: text)
    var options = LogOptions()
    options.auxiliary = description.auxiliaryChannels
    return try StreamSource(
      StreamAddress(description.path), channels: description.channels, options: options,
      declination: declination.angle, warnings: declination.warnings)
  }

  /// Opens the source of the environment. Warnings and errors are printed to standard error: an app without sensors
  /// continues without reporting a problem.
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
