internal import Foundation
internal import Synchronization

/// The app's permission for activities, steps, altitudes, headphones, batches and recordings. The motion manager needs
/// no permission.
///
/// On Apple's platforms the user decides in a dialog, which shows the app's `NSMotionUsageDescription`. Here the
/// program decides, so that an app's behaviour without permission can be tested:
///
/// ```swift
/// MotionPermission.set(MotionPermission(status: .denied))
/// ```
///
/// Handlers then receive `CMErrorMotionActivityNotAuthorized` (105) from activities, steps and altitudes, and
/// `CMErrorNotAuthorized` (111) from headphones and batches; activity updates, which have no error, and recordings
/// remain silent. `authorizationStatus` of every manager returns the same status.
public struct MotionPermission: Sendable, Equatable {
  /// The user's decision so far. Default: authorized.
  public var status: CMAuthorizationStatus
  /// The user's decision when prompted, at the first use while `status` is not determined. Default: authorized.
  public var answer: CMAuthorizationStatus
  /// `NSMotionUsageDescription` in the app's Info.plist, or `nil` if it is missing. Apple's systems terminate an app
  /// without it; here its requests are denied, with one line on standard error.
  public var usageDescription: String?

  /// Creates a permission from the status before the prompt, and the user's answer.
  public init(
    status: CMAuthorizationStatus = .authorized, answer: CMAuthorizationStatus = .authorized,
    usageDescription: String? = "The motion of a recording"
  ) {
    self.status = status
    self.answer = answer
    self.usageDescription = usageDescription
  }

  /// The process's permission.
  public static var current: MotionPermission { process.withLock { $0.permission } }

  /// Sets the process's permission. Active updates continue.
  public static func set(_ permission: MotionPermission) { process.withLock { $0 = (permission, false) } }

  /// The status that an app receives.
  var authorizationStatus: CMAuthorizationStatus { usageDescription == nil ? .denied : status }

  /// Prompts the user if needed.
  ///
  /// - Returns: Whether the app has permission.
  static func isGranted() -> Bool {
    let (permission, warns) = process.withLock { process in
      if process.permission.usageDescription == nil {
        defer { process.hasWarned = true }
        return (process.permission, !process.hasWarned)
      }
      if process.permission.status == .notDetermined { process.permission.status = process.permission.answer }
      return (process.permission, false)
    }
    if warns {
      let line =
        "an app that requests motion data needs NSMotionUsageDescription; set MotionPermission's usageDescription\n"
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
    return permission.authorizationStatus == .authorized
  }

  private static let process = Mutex((permission: MotionPermission(), hasWarned: false))
}
