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

  /// A file or folder of the recordings; use only in tests enabled by `isAvailable`.
  public static func url(_ path: String) -> URL { folder!.appendingPathComponent(path) }
}
