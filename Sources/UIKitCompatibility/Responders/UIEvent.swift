public import Foundation
public import Recognition

/// Something that responders are told of; here a shake.
@MainActor open class UIEvent {
  /// What kind of event it is; the raw values are UIKit's.
  public enum EventType: Int, Sendable {
    case touches = 0
    case motion = 1
    case remoteControl = 2
    case presses = 3
    case scroll = 10
    case hover = 11
    case transform = 14
  }

  /// What it is among its kind; the raw values are UIKit's. Those of remote controls are never sent here.
  public enum EventSubtype: Int, Sendable {
    case none = 0
    /// The user shakes the device.
    case motionShake = 1
    case remoteControlPlay = 100
    case remoteControlPause = 101
    case remoteControlStop = 102
    case remoteControlTogglePlayPause = 103
    case remoteControlNextTrack = 104
    case remoteControlPreviousTrack = 105
    case remoteControlBeginSeekingBackward = 106
    case remoteControlEndSeekingBackward = 107
    case remoteControlBeginSeekingForward = 108
    case remoteControlEndSeekingForward = 109
  }

  /// What the detector saw, phase and certainty with it. Added to UIKit's interface.
  public let gesture: GestureEvent

  /// A shake in one of its phases. Added to UIKit's interface, which has no way to make an event.
  public init(gesture: GestureEvent) { self.gesture = gesture }

  open var type: EventType { .motion }
  open var subtype: EventSubtype { .motionShake }
  /// When it was known: seconds on the source's clock; a device's own runs since its start.
  open var timestamp: TimeInterval { gesture.time }
}

public typealias UIEventType = UIEvent.EventType
public typealias UIEventSubtype = UIEvent.EventSubtype
