internal import Foundation

/// The domain of the errors that handlers are given.
public let CMErrorDomain: String = "CMErrorDomain"

/// The code of an error in `CMErrorDomain`.
public struct CMError: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32

  /// The error of a number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// No error.
public let CMErrorNULL = CMError(100)
/// The device must be moved before its magnetometer is calibrated.
public let CMErrorDeviceRequiresMovement = CMError(101)
/// The place is not known, and so not which way true north is.
public let CMErrorTrueNorthNotAvailable = CMError(102)
/// An error of no known kind.
public let CMErrorUnknown = CMError(103)
/// The source has no activities.
public let CMErrorMotionActivityNotAvailable = CMError(104)
/// The person has refused the app activities.
public let CMErrorMotionActivityNotAuthorized = CMError(105)
/// The app is not entitled to activities.
public let CMErrorMotionActivityNotEntitled = CMError(106)
/// A parameter is not one that is taken.
public let CMErrorInvalidParameter = CMError(107)
/// The action is not possible now.
public let CMErrorInvalidAction = CMError(108)
/// The source has no such sensor.
public let CMErrorNotAvailable = CMError(109)
/// The app is not entitled to the sensor.
public let CMErrorNotEntitled = CMError(110)
/// The person has refused the app motion.
public let CMErrorNotAuthorized = CMError(111)
/// There are no data.
public let CMErrorNilData = CMError(112)
/// The data are too many.
public let CMErrorSize = CMError(113)

extension CMError {
  /// What a handler is given.
  var nsError: NSError { NSError(domain: CMErrorDomain, code: Int(rawValue)) }
}

/// Whether the app may use motion data, as `MotionPermission` says.
public enum CMAuthorizationStatus: Int, Sendable {
  /// The person has not been asked.
  case notDetermined = 0
  /// Nobody may allow it.
  case restricted = 1
  /// The person has refused.
  case denied = 2
  /// The person has allowed it.
  case authorized = 3
}
