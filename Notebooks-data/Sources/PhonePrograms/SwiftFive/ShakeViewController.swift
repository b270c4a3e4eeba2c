import Foundation

#if canImport(UIKit)
  import AudioToolbox
  import QuartzCore
  import UIKit
#else
  import UIKitCompatibility
#endif

/// A screen that vibrates at a shake, ignores the next ones for a while, and stops in the background.
public final class ShakeViewController: UIViewController {
  /// The number of accepted shakes.
  public private(set) var shakes = 0
  /// The number of vibrations that have ended.
  public private(set) var vibrations = 0
  /// The number of ticks of the timer.
  public private(set) var ticks = 0
  /// The number of times that the app has resigned.
  public private(set) var pauses = 0

  private let minimumInterval: CFTimeInterval = 1
  private var lastShake: CFTimeInterval = -100
  private var timer: Timer?
  private var observer: NSObjectProtocol?

  public override var canBecomeFirstResponder: Bool { return true }

  public override func viewDidLoad() {
    super.viewDidLoad()
    UIApplication.shared.isIdleTimerDisabled = true
    observer = NotificationCenter.default.addObserver(
      forName: .UIApplicationWillResignActive, object: nil, queue: nil
    ) { [weak self] _ in
      self?.pauses += 1
      self?.timer?.invalidate()
    }
  }

  public override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    becomeFirstResponder()
    timer = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { [weak self] timer in
      guard let self = self else { return timer.invalidate() }
      self.ticks += 1
      self.update()
    }
  }

  public override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    timer?.invalidate()
    if let observer = observer { NotificationCenter.default.removeObserver(observer) }
    UIApplication.shared.isIdleTimerDisabled = false
  }

  public override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    guard motion == .motionShake else { return }
    let now = CACurrentMediaTime()
    guard now - lastShake > minimumInterval else { return }
    lastShake = now
    shakes += 1
    AudioServicesPlayAlertSoundWithCompletion(SystemSoundID(kSystemSoundID_Vibrate)) {
      DispatchQueue.main.async { self.vibrations += 1 }
    }
  }

  private func update() {}
}
