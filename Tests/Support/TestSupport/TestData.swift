public import Foundation

/// The real recordings, which are not part of the project: found through the environment variable `INERTIAL_DATA`.
public enum TestData {
  /// The folder of recordings, or nil without `INERTIAL_DATA`.
  public static let folder: URL? = ProcessInfo.processInfo.environment["INERTIAL_DATA"].map {
    URL(fileURLWithPath: $0, isDirectory: true)
  }

  /// Whether tests that repeat themselves do so in full: ten thousand mutations of each format, fifty kills. CI sets
  /// `INERTIAL_LONG_TESTS`; otherwise they do a tenth or a fifth of it.
  public static let isLong: Bool = ProcessInfo.processInfo.environment["INERTIAL_LONG_TESTS"] != nil

  /// Whether the tests run under `make stress`, which sets `INERTIAL_STRESS`: every output format meets every fault.
  public static let isStress: Bool = ProcessInfo.processInfo.environment["INERTIAL_STRESS"] != nil

  /// A file or folder of the recordings; use only in tests with the trait `needs(.data)`.
  public static func url(_ path: String) -> URL { folder!.appendingPathComponent(path) }
}
