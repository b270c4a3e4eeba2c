internal import Foundation

/// The domain of the errors that handlers are given.
public let CMErrorDomain: String = "CMErrorDomain"

/// The code of an error in `CMErrorDomain`.
public struct CMError: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32

  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public let CMErrorNULL = CMError(100)
/// The device must be moved before its magnetometer is calibrated.
public let CMErrorDeviceRequiresMovement = CMError(101)
/// The place is not known, and so not which way true north is.
public let CMErrorTrueNorthNotAvailable = CMError(102)
public let CMErrorUnknown = CMError(103)
public let CMErrorMotionActivityNotAvailable = CMError(104)
public let CMErrorMotionActivityNotAuthorized = CMError(105)
public let CMErrorMotionActivityNotEntitled = CMError(106)
public let CMErrorInvalidParameter = CMError(107)
public let CMErrorInvalidAction = CMError(108)
public let CMErrorNotAvailable = CMError(109)
public let CMErrorNotEntitled = CMError(110)
public let CMErrorNotAuthorized = CMError(111)
public let CMErrorNilData = CMError(112)
public let CMErrorSize = CMError(113)

extension CMError {
  /// What a handler is given.
  var nsError: NSError { NSError(domain: CMErrorDomain, code: Int(rawValue)) }
}

/// Whether the app may use motion data, as `MotionPermission` says.
public enum CMAuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorized = 3
}
