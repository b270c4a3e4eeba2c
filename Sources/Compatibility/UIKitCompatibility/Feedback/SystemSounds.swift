// AudioToolbox' system sounds, which apps also use for vibrations.

/// A sound of the system; some make the device vibrate: 1519 weakly, 1520 strongly, 1521 three times.
public typealias SystemSoundID = UInt32

/// The vibration of an incoming call.
public let kSystemSoundID_Vibrate: SystemSoundID = 4095

/// Plays a sound of the system: here it tells `DeviceFeedback`.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  DeviceFeedback.send(.systemSound(inSystemSoundID))
}

/// As `AudioServicesPlaySystemSound`; on a device that is muted it vibrates instead.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  AudioServicesPlaySystemSound(inSystemSoundID)
}

/// Calls the block at once, as nothing is played.
public func AudioServicesPlaySystemSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  AudioServicesPlaySystemSound(inSystemSoundID)
  inCompletionBlock?()
}
