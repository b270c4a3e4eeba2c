public import Gestures

/// What a motion of the device means to an app; the raw values are UIKit's.
public enum MotionEventSubtype: Int, Sendable {
  case none = 0
  /// The user has shaken the device.
  case motionShake = 1
}

/// A motion event: when it was, and what the detector saw.
public struct MotionEvent: Sendable {
  public var subtype: MotionEventSubtype
  /// When it was known: seconds on the source's clock.
  public var timestamp: Double
  /// The gesture as the detector tells it; nil where the event was cancelled by the app's own pause between samples.
  public var gesture: GestureEvent?
}

/// Takes motion events, as UIKit's responders do. A responder implements what it needs; the rest does nothing.
///
/// A shake begins when it is recognised, and ends or is cancelled once. It is cancelled where it lasts too long, the
/// source is interrupted, or the app is not active any more.
public protocol MotionResponder: AnyObject {
  func motionBegan(_ motion: MotionEventSubtype, with event: MotionEvent?)
  func motionEnded(_ motion: MotionEventSubtype, with event: MotionEvent?)
  func motionCancelled(_ motion: MotionEventSubtype, with event: MotionEvent?)
}

extension MotionResponder {
  public func motionBegan(_ motion: MotionEventSubtype, with event: MotionEvent?) {}
  public func motionEnded(_ motion: MotionEventSubtype, with event: MotionEvent?) {}
  public func motionCancelled(_ motion: MotionEventSubtype, with event: MotionEvent?) {}
}

/// How an impact is to feel; the raw values are those of UIKit's feedback generator.
public enum FeedbackStyle: Int, Sendable, CaseIterable {
  case light = 0
  case medium = 1
  case heavy = 2
  case soft = 3
  case rigid = 4
}
