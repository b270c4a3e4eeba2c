public import Foundation
public import InertialRecognition

/// Something that responders are told of; here a shake.
@MainActor open class UIEvent {
  /// What kind of event it is; the raw values are UIKit's.
  public enum EventType: Int, Sendable {
    /// Touches of the screen.
    case touches = 0
    /// A motion of the device.
    case motion = 1
    /// A command of a headset or another accessory.
    case remoteControl = 2
    /// A press of a button.
    case presses = 3
    /// A scroll.
    case scroll = 10
    /// A pointer over something.
    case hover = 11
    /// A rotation or a scale by a trackpad.
    case transform = 14
  }

  /// What it is among its kind; the raw values are UIKit's. Those of remote controls are never sent here.
  public enum EventSubtype: Int, Sendable {
    /// None.
    case none = 0
    /// The user shakes the device.
    case motionShake = 1
    /// A remote command: play.
    case remoteControlPlay = 100
    /// A remote command: pause.
    case remoteControlPause = 101
    /// A remote command: stop.
    case remoteControlStop = 102
    /// A remote command: toggle play pause.
    case remoteControlTogglePlayPause = 103
    /// A remote command: next track.
    case remoteControlNextTrack = 104
    /// A remote command: previous track.
    case remoteControlPreviousTrack = 105
    /// A remote command: begin seeking backward.
    case remoteControlBeginSeekingBackward = 106
    /// A remote command: end seeking backward.
    case remoteControlEndSeekingBackward = 107
    /// A remote command: begin seeking forward.
    case remoteControlBeginSeekingForward = 108
    /// A remote command: end seeking forward.
    case remoteControlEndSeekingForward = 109
  }

  /// What the detector saw, phase and certainty with it. Added to UIKit's interface.
  public let gesture: GestureEvent

  /// A shake in one of its phases. Added to UIKit's interface, which has no way to make an event.
  public init(gesture: GestureEvent) { self.gesture = gesture }

  /// What kind of event it is.
  open var type: EventType { .motion }
  /// Which event of its kind it is.
  open var subtype: EventSubtype { .motionShake }
  /// When it was known: seconds on the source's clock; a device's own runs since its start.
  open var timestamp: TimeInterval { gesture.time }
}

/// The name in Objective-C.
public typealias UIEventType = UIEvent.EventType
/// The name in Objective-C.
public typealias UIEventSubtype = UIEvent.EventSubtype
