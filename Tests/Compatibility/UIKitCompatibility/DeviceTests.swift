import Foundation
import InertialLive
import InertialRotations
import InertialSensors
import Testing
import UIKitCompatibility

/// The device belongs to the application, so its tests run in the same suite.
extension ApplicationTests {
  /// A device that lies face up, stands upright, lies on its left edge and is tilted, for 2 s each.
  private static let poses: [SensorSample] = (0..<400).map { index in
    let vectors = [Vector3(0, 0, -1), Vector3(0.1, -0.99, 0), Vector3(-0.98, 0.1, 0.1), Vector3(0.5, -0.6, -0.62)]
    return SensorSample(time: Double(index) / 50, channel: .accelerometer, vectors[index / 100])
  }

  private static func sample(_ channel: AuxiliaryChannel, _ time: Double, _ values: [String: Double]) -> AuxiliarySample
  {
    var sample = AuxiliarySample(time: time, channel: channel)
    for (name, value) in values { sample[name] = value }
    return sample
  }

  private static let context = [
    sample(.proximity, 0, ["proximityNear": 0]), sample(.proximity, 1, ["proximityNear": 1]),
    sample(.proximity, 2, ["proximityNear": 1]), sample(.proximity, 3, ["proximityDistance": 0.08]),
    sample(.proximityChange, 4, ["proximityChange": 1]), sample(.proximity, 5, [:]),
    sample(.battery, 0, ["batteryLevel": 0.5, "batteryState": 1]), sample(.battery, 3, ["batteryLevel": 0.45]),
    sample(.battery, 5, ["batteryLevel": 0.45, "batteryState": 2]), sample(.light, 6, ["illuminance": 5]),
  ]

  private func play(_ source: RecordingSource) async {
    UIApplication.shared.source = source
    source.resume()
    await source.waitForEnd(timeout: 120)
  }

  @Test("a device posts each change of proximity, orientation and battery once they are switched on")
  func device() async {
    let device = UIDevice.current
    let posted = Posted([
      UIDevice.proximityStateDidChangeNotification, UIDevice.orientationDidChangeNotification,
      UIDevice.batteryLevelDidChangeNotification, UIDevice.batteryStateDidChangeNotification,
    ])
    func source() -> RecordingSource {
      RecordingSource(samples: Self.poses, auxiliary: Self.context, speed: .infinity, isPaused: true)
    }
    await play(source())
    #expect(posted.all.isEmpty && device.batteryLevel == -1 && device.batteryState == .unknown)
    #expect(!device.proximityState && device.orientation == .unknown)

    let second = source()
    UIApplication.shared.source = second
    device.isProximityMonitoringEnabled = true
    device.isBatteryMonitoringEnabled = true
    device.beginGeneratingDeviceOrientationNotifications()
    #expect(device.isProximityMonitoringEnabled && device.isGeneratingDeviceOrientationNotifications)
    second.resume()
    await second.waitForEnd(timeout: 120)
    #expect(posted.count("proximity") == 3 && device.proximityState)
    #expect(posted.count("level") == 2 && posted.count("state") == 2)
    #expect(device.batteryLevel == 0.45 && device.batteryState == .charging)
    #expect(posted.orientations == [.faceUp, .portrait, .landscapeLeft] && device.orientation == .landscapeLeft)

    device.isProximityMonitoringEnabled = false
    device.isBatteryMonitoringEnabled = false
    device.endGeneratingDeviceOrientationNotifications()
    device.endGeneratingDeviceOrientationNotifications()
    #expect(!device.proximityState && device.batteryLevel == -1 && device.batteryState == .unknown)
    #expect(device.orientation == .unknown && !device.isGeneratingDeviceOrientationNotifications)
  }

  @Test("a device without a proximity sensor does not monitor it, and has a name, a model and a system")
  func withoutSensor() {
    UIApplication.shared.source = RecordingSource(samples: Self.poses)
    let device = UIDevice.current
    device.isProximityMonitoringEnabled = true
    #expect(!device.isProximityMonitoringEnabled)
    #expect(device.model == "iPhone" && device.localizedModel == device.model && !device.name.isEmpty)
    #expect(!device.systemName.isEmpty && device.systemVersion.contains(".") && device.identifierForVendor == nil)
    let orientations = (0...6).compactMap(UIDeviceOrientation.init(rawValue:))
    #expect(orientations.filter(\.isPortrait) == [.portrait, .portraitUpsideDown])
    #expect(orientations.filter(\.isLandscape) == [.landscapeLeft, .landscapeRight])
    #expect(orientations.filter(\.isFlat) == [.faceUp, .faceDown])
    #expect(orientations.filter(\.isValidInterfaceOrientation).count == 4)
  }

  @Test("an announced termination reaches the delegate and the notification centre; the idle timer is stored")
  func termination() {
    final class Delegate: UIApplicationDelegate {
      var count = 0
      func applicationWillTerminate(_ application: UIApplication) { count += 1 }
    }
    let (application, delegate) = (UIApplication.shared, Delegate())
    application.delegate = delegate
    let posted = Posted([UIApplication.willTerminateNotification])
    application.announceTermination()
    #expect(delegate.count == 1 && posted.all.count == 1)
    #expect(!application.isIdleTimerDisabled)
    application.isIdleTimerDisabled = true
    #expect(application.isIdleTimerDisabled)
    application.isIdleTimerDisabled = false
    application.delegate = nil
  }

  @Test("a notification has the same name before and since Swift 4.2")
  func oldNames() {
    #expect(NSNotification.Name.UIApplicationDidBecomeActive == UIApplication.didBecomeActiveNotification)
    #expect(NSNotification.Name.UIApplicationWillResignActive == UIApplication.willResignActiveNotification)
    #expect(NSNotification.Name.UIApplicationDidEnterBackground == UIApplication.didEnterBackgroundNotification)
    #expect(NSNotification.Name.UIApplicationWillEnterForeground == UIApplication.willEnterForegroundNotification)
    #expect(NSNotification.Name.UIApplicationWillTerminate == UIApplication.willTerminateNotification)
    #expect(NSNotification.Name.UIDeviceProximityStateDidChange == UIDevice.proximityStateDidChangeNotification)
    #expect(NSNotification.Name.UIDeviceOrientationDidChange == UIDevice.orientationDidChangeNotification)
    #expect(NSNotification.Name.UIDeviceBatteryLevelDidChange == UIDevice.batteryLevelDidChangeNotification)
    #expect(NSNotification.Name.UIDeviceBatteryStateDidChange == UIDevice.batteryStateDidChangeNotification)
  }

  @Test("an alert sound calls its block, and the media time advances with the machine's clock without a source")
  func soundAndTime() {
    var isDone = false
    AudioServicesPlayAlertSoundWithCompletion(SystemSoundID(kSystemSoundID_Vibrate)) { isDone = true }
    AudioServicesPlayAlertSoundWithCompletion(1000, nil)
    #expect(isDone)
    let (first, second) = (CACurrentMediaTime(), CACurrentMediaTime())
    #expect(second >= first && first.isFinite)
  }
}

/// The notifications of the device and the application, with the orientation at the time of each.
@MainActor private final class Posted {
  private(set) var all: [Notification.Name] = []
  private(set) var orientations: [UIDeviceOrientation] = []
  private var observers: [any NSObjectProtocol] = []

  init(_ names: [Notification.Name]) {
    observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
        MainActor.assumeIsolated { self?.note(name) }
      }
    }
  }

  isolated deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  private func note(_ name: Notification.Name) {
    all.append(name)
    if name == UIDevice.orientationDidChangeNotification { orientations.append(UIDevice.current.orientation) }
  }

  func count(_ word: String) -> Int {
    all.filter { $0.rawValue.lowercased().contains(word == "state" ? "batterystate" : word) }.count
  }
}
