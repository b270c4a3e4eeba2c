public import Foundation

/// The real recordings, which are not part of the project: found through the environment variable `INERTIAL_DATA`.
public enum TestData {
  /// The folder of recordings, or nil where `INERTIAL_DATA` is not set.
  public static let folder: URL? = ProcessInfo.processInfo.environment["INERTIAL_DATA"].map {
    URL(fileURLWithPath: $0, isDirectory: true)
  }

  /// Whether the recordings are there.
  public static var isAvailable: Bool { folder != nil }

  /// The reason printed with a skipped test.
  public static let absent: String = "INERTIAL_DATA is not set: the recordings are not on this machine"

  /// Whether tests that repeat themselves do so in full: ten thousand mutations of each format, fifty kills. CI sets
  /// `INERTIAL_LONG_TESTS`; otherwise they do a tenth or a fifth of it.
  public static let isLong: Bool = ProcessInfo.processInfo.environment["INERTIAL_LONG_TESTS"] != nil

  /// Whether nothing else runs beside this test, as `INERTIAL_TESTS_ALONE` says: for what measures real time.
  public static let isAlone: Bool = ProcessInfo.processInfo.environment["INERTIAL_TESTS_ALONE"] != nil

  /// The reason printed with a test that is skipped beside others.
  public static let notAlone: String = "measures real time: `make test` runs it by itself, where the recordings are"

  /// A file or folder of the recordings; use only in tests enabled by `isAvailable`.
  public static func url(_ path: String) -> URL { folder!.appendingPathComponent(path) }
}
