import Foundation

#if canImport(UIKit)
  import AudioToolbox
  import UIKit
#else
  import UIKitCompatibility
#endif

/// A screen that rolls a die when UIKit reports a shake, with haptic feedback at the start and a sound at the end.
final class ShakeScreen: UIViewController {
  private let impact = UIImpactFeedbackGenerator(style: .medium)
  private(set) var begun = 0
  private(set) var ended = 0
  private(set) var cancelled = 0

  override var canBecomeFirstResponder: Bool { true }

  override func viewDidLoad() {
    super.viewDidLoad()
    impact.prepare()
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    becomeFirstResponder()
  }

  override func viewWillDisappear(_ animated: Bool) {
    resignFirstResponder()
    super.viewWillDisappear(animated)
  }

  override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    guard motion == .motionShake else { return super.motionBegan(motion, with: event) }
    begun += 1
    impact.impactOccurred()
  }

  override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    guard event?.subtype == UIEvent.EventSubtype.motionShake else { return }
    ended += 1
    AudioServicesPlaySystemSound(1520)
  }

  override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    if motion == .motionShake { cancelled += 1 }
  }
}
