internal import Foundation
internal import InertialLive

/// Whether the app may see what its user does: activities, steps, altitudes, headphones, batches and recordings. The
/// motion manager needs no permission.
///
/// On Apple's platforms the user decides in a dialog, which shows the app's `NSMotionUsageDescription`. Here the program
/// decides, so that what an app does without permission can be tried:
///
/// ```swift
/// MotionPermission.set(MotionPermission(status: .denied))
/// ```
///
/// Handlers are then given `CMErrorMotionActivityNotAuthorized` (105) by activities, steps and altitudes, and
/// `CMErrorNotAuthorized` (111) by headphones and batches; activity updates, which have no error, and recordings stay
/// silent. `authorizationStatus` of every manager tells the same.
public struct MotionPermission: Sendable, Equatable {
  /// What the user has decided so far. Default: authorized.
  public var status: CMAuthorizationStatus
  /// What the user decides when asked, at the first use while `status` is not determined. Default: authorized.
  public var answer: CMAuthorizationStatus
  /// `NSMotionUsageDescription` of the app's Info.plist; nil: it has none. An app without is ended by Apple's systems; here
  /// it is refused, with one line on standard error.
  public var usageDescription: String?

  /// A permission: the status before the app asks, and the person's answer.
  public init(
    status: CMAuthorizationStatus = .authorized, answer: CMAuthorizationStatus = .authorized,
    usageDescription: String? = "The motion of a recording"
  ) {
    self.status = status
    self.answer = answer
    self.usageDescription = usageDescription
  }

  /// The process's permission.
  public static var current: MotionPermission { decision.permission }

  /// Makes a permission the process's. Updates that have begun go on.
  public static func set(_ permission: MotionPermission) { decision.set(permission) }

  /// What an app is told of its permission.
  var authorizationStatus: CMAuthorizationStatus { usageDescription == nil ? .denied : status }

  /// Asks the user where that has not been done.
  ///
  /// - Returns: whether the app may go on.
  static func isGranted() -> Bool { decision.ask().authorizationStatus == .authorized }

  private static let decision = Decision()

  private final class Decision: @unchecked Sendable {
    private let monitor = Monitor()
    private var current = MotionPermission()
    private var hasWarned = false

    var permission: MotionPermission { monitor.withLock { current } }

    func set(_ permission: MotionPermission) {
      monitor.withLock { (current, hasWarned) = (permission, false) }
    }

    func ask() -> MotionPermission {
      let (permission, warns) = monitor.withLock { () -> (MotionPermission, Bool) in
        guard current.usageDescription != nil else {
          defer { hasWarned = true }
          return (current, !hasWarned)
        }
        if current.status == .notDetermined { current.status = current.answer }
        return (current, false)
      }
      if warns {
        let line =
          "an app that asks for motion data needs NSMotionUsageDescription; set MotionPermission's usageDescription\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
      }
      return permission
    }
  }
}
