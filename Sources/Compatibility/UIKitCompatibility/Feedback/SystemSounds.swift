// AudioToolbox's system sounds, which apps also use for vibrations.

/// A system sound; some IDs make the device vibrate: 1519 weakly, 1520 strongly, 1521 three times.
public typealias SystemSoundID = UInt32

/// The vibration of an incoming call.
public let kSystemSoundID_Vibrate: SystemSoundID = 4095

/// Plays a system sound, by sending it to `DeviceFeedback`.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  DeviceFeedback.send(.systemSound(inSystemSoundID))
}

/// Same as `AudioServicesPlaySystemSound`; a muted device vibrates instead.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  AudioServicesPlaySystemSound(inSystemSoundID)
}

/// Plays a system sound and calls the block immediately.
public func AudioServicesPlaySystemSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  AudioServicesPlaySystemSound(inSystemSoundID)
  inCompletionBlock?()
}

/// Same as `AudioServicesPlaySystemSoundWithCompletion`; a muted device vibrates instead.
public func AudioServicesPlayAlertSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  AudioServicesPlaySystemSoundWithCompletion(inSystemSoundID, inCompletionBlock)
}
