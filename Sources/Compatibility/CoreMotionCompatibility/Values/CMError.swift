internal import Foundation

/// The domain of the errors that handlers receive.
public let CMErrorDomain: String = "CMErrorDomain"

/// The code of an error in `CMErrorDomain`.
public struct CMError: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32

  /// Creates an error from its number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// Success.
public let CMErrorNULL = CMError(100)
/// The device must be moved before its magnetometer is calibrated.
public let CMErrorDeviceRequiresMovement = CMError(101)
/// The place, and therefore the direction of true north, is unknown.
public let CMErrorTrueNorthNotAvailable = CMError(102)
/// An unknown error.
public let CMErrorUnknown = CMError(103)
/// The source has no activities.
public let CMErrorMotionActivityNotAvailable = CMError(104)
/// The user has denied the app access to activities.
public let CMErrorMotionActivityNotAuthorized = CMError(105)
/// The app is not entitled to activities.
public let CMErrorMotionActivityNotEntitled = CMError(106)
/// A parameter is invalid.
public let CMErrorInvalidParameter = CMError(107)
/// The action is not possible now.
public let CMErrorInvalidAction = CMError(108)
/// The source has no such sensor.
public let CMErrorNotAvailable = CMError(109)
/// The app is not entitled to the sensor.
public let CMErrorNotEntitled = CMError(110)
/// The user has denied the app access to motion.
public let CMErrorNotAuthorized = CMError(111)
/// The data is missing.
public let CMErrorNilData = CMError(112)
/// The data is too large.
public let CMErrorSize = CMError(113)

extension CMError {
  /// The error as a handler receives it.
  var nsError: NSError { NSError(domain: CMErrorDomain, code: Int(rawValue)) }
}

/// Whether the app may use motion data, according to `MotionPermission`.
public enum CMAuthorizationStatus: Int, Sendable {
  /// The user has not been prompted.
  case notDetermined = 0
  /// The user cannot grant access.
  case restricted = 1
  /// The user has denied access.
  case denied = 2
  /// The user has granted access.
  case authorized = 3
}
