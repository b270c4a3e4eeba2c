public import Foundation
public import InertialRecognition

/// An event for responders, which is always a shake here.
@preconcurrency @MainActor open class UIEvent {
  /// The type of an event; the raw values are UIKit's.
  public enum EventType: Int, Sendable {
    /// Touches on the screen.
    case touches = 0
    /// A motion of the device.
    case motion = 1
    /// A command of a headset or another accessory.
    case remoteControl = 2
    /// A press of a button.
    case presses = 3
    /// A scroll.
    case scroll = 10
    /// A pointer over an element.
    case hover = 11
    /// A rotation or a scale by a trackpad.
    case transform = 14
  }

  /// The subtype of an event; the raw values are UIKit's. Remote controls are never sent here.
  public enum EventSubtype: Int, Sendable {
    /// The event has no subtype.
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

  /// The detected gesture, with its phase and confidence. Added to UIKit's interface.
  public let gesture: GestureEvent

  /// Creates a shake event in one of its phases. Added to UIKit's interface, which cannot create events.
  public init(gesture: GestureEvent) { self.gesture = gesture }

  /// The type of the event.
  open var type: EventType { .motion }
  /// The subtype of the event.
  open var subtype: EventSubtype { .motionShake }
  /// The time of detection on the source's clock, in seconds; a device's own clock starts at its boot.
  open var timestamp: TimeInterval { gesture.time }
}

/// The Objective-C name.
public typealias UIEventType = UIEvent.EventType
/// The Objective-C name.
public typealias UIEventSubtype = UIEvent.EventSubtype
