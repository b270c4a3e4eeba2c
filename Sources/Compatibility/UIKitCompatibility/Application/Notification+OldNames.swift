public import Foundation

// The names of notifications before Swift 4.2, which many apps still use.
extension NSNotification.Name {
  /// The name before Swift 4.2 of `UIApplication.didBecomeActiveNotification`.
  public static let UIApplicationDidBecomeActive = UIApplication.didBecomeActiveNotification
  /// The name before Swift 4.2 of `UIApplication.willResignActiveNotification`.
  public static let UIApplicationWillResignActive = UIApplication.willResignActiveNotification
  /// The name before Swift 4.2 of `UIApplication.didEnterBackgroundNotification`.
  public static let UIApplicationDidEnterBackground = UIApplication.didEnterBackgroundNotification
  /// The name before Swift 4.2 of `UIApplication.willEnterForegroundNotification`.
  public static let UIApplicationWillEnterForeground = UIApplication.willEnterForegroundNotification
  /// The name before Swift 4.2 of `UIApplication.willTerminateNotification`.
  public static let UIApplicationWillTerminate = UIApplication.willTerminateNotification
  /// The name before Swift 4.2 of `UIDevice.proximityStateDidChangeNotification`.
  public static let UIDeviceProximityStateDidChange = UIDevice.proximityStateDidChangeNotification
  /// The name before Swift 4.2 of `UIDevice.orientationDidChangeNotification`.
  public static let UIDeviceOrientationDidChange = UIDevice.orientationDidChangeNotification
  /// The name before Swift 4.2 of `UIDevice.batteryLevelDidChangeNotification`.
  public static let UIDeviceBatteryLevelDidChange = UIDevice.batteryLevelDidChangeNotification
  /// The name before Swift 4.2 of `UIDevice.batteryStateDidChangeNotification`.
  public static let UIDeviceBatteryStateDidChange = UIDevice.batteryStateDidChangeNotification
}
