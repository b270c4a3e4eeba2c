import CoreMotion
import Foundation

/// The steps of today and of now, with the activities, as a model of a screen.
@MainActor public final class StepsModel {
  public private(set) var today = 0
  public private(set) var distance: Double?
  public private(set) var live = 0
  public private(set) var counted = 0
  public private(set) var activities: [String] = []
  public private(set) var lastError: Error?

  private let pedometer = CMPedometer()
  private let counter = CMStepCounter()
  private let activityManager = CMMotionActivityManager()

  public init() {}

  public func start() {
    guard CMPedometer.isStepCountingAvailable() else { return }
    pedometer.startUpdates(from: Date()) { [weak self] data, error in
      guard let steps = data?.numberOfSteps.intValue else { return }
      Task { @MainActor in self?.live = steps }
    }
    if CMStepCounter.isStepCountingAvailable() {
      counter.startStepCountingUpdates(to: .main, updateOn: 1) { [weak self] steps, _, error in
        guard error == nil else { return }
        self?.counted = steps
      }
    }
  }

  /// Loads the day so far, as an app does when it appears.
  public func loadToday() {
    let midnight = Calendar.current.startOfDay(for: Date())
    pedometer.queryPedometerData(from: midnight, to: Date()) { [weak self] data, error in
      DispatchQueue.main.async {
        self?.lastError = error
        self?.today = data?.numberOfSteps.intValue ?? 0
        self?.distance = data?.distance?.doubleValue
      }
    }
    activityManager.queryActivityStarting(from: midnight, to: Date(), to: .main) { [weak self] activities, error in
      self?.activities = (activities ?? []).filter { $0.confidence != .low }.map {
        $0.walking ? "walking" : $0.stationary ? "stationary" : "other"
      }
    }
  }

  public func stop() {
    pedometer.stopUpdates()
    counter.stopStepCountingUpdates()
  }
}
