internal import CoreMotionCompatibility
internal import Foundation
internal import InertialLive
internal import InertialSensors

/// Listens to the app's source for the values of `UIDevice`, and delivers them on the main queue.
@MainActor final class DeviceSensors {
  /// A value of a sensor.
  enum Event: Sendable {
    case proximity(isNear: Bool)
    /// The charge, and the state; each is `nil` if it was not recorded.
    case battery(level: Float?, state: UIDevice.BatteryState?)
    case orientation(UIDeviceOrientation)
  }

  /// The receiver of the values.
  var consume: (Event) -> Void = { _ in }
  private var attachment: SensorAttachment?
  private var motion: CMMotionManager?
  /// Increases when earlier values are no longer to be delivered.
  private var generation = 0

  private var source: (any SensorSource)? { UIApplication.shared.source ?? MotionSensors.defaultSource }

  /// Whether the source has a proximity sensor.
  var hasProximity: Bool {
    source.map { !$0.auxiliaryChannels.isDisjoint(with: [.proximity, .proximityChange]) } ?? false
  }

  /// Starts or stops listening.
  ///
  /// - Parameters:
  ///   - auxiliary: Whether proximity and battery are needed.
  ///   - acceleration: Whether the orientation is needed.
  func listen(auxiliary: Bool, acceleration: Bool) {
    if !auxiliary {
      attachment = nil
    } else if attachment == nil {
      let generation = generation
      let receiver = Receiver { event in
        OperationQueue.main.addOperation { MainActor.assumeIsolated { self.deliver(event, generation) } }
      }
      attachment = source?.attach(receiver)
    }
    if !acceleration {
      motion?.stopAccelerometerUpdates()
      motion = nil
    } else if motion == nil {
      let manager = CMMotionManager(source: UIApplication.shared.source)
      manager.accelerometerUpdateInterval = 0.1
      let generation = generation
      manager.startAccelerometerUpdates(to: .main) { [weak self] data, _ in
        guard let data, let orientation = UIDeviceOrientation(data.acceleration) else { return }
        MainActor.assumeIsolated { self?.deliver(.orientation(orientation), generation) }
      }
      motion = manager
    }
  }

  /// Stops listening; pending values are not delivered.
  func stop() {
    generation += 1
    listen(auxiliary: false, acceleration: false)
  }

  private func deliver(_ event: Event, _ generation: Int) {
    if generation == self.generation { consume(event) }
  }

  private final class Receiver: SensorReceiver {
    private let forward: @Sendable (Event) -> Void

    init(_ forward: @escaping @Sendable (Event) -> Void) { self.forward = forward }

    func receive(_ event: SensorEvent) {
      guard case .auxiliary(let samples) = event else { return }
      for sample in samples { if let event = Event(sample) { forward(event) } }
    }
  }
}

extension DeviceSensors.Event {
  /// The distance in metres below which an object is close, for sensors that report only a distance.
  private static let nearDistance = 0.05

  /// Creates the event of a sample, or returns `nil` if the sample belongs to another sensor or is empty.
  fileprivate init?(_ sample: AuxiliarySample) {
    switch sample.channel {
    case .proximity:
      let (near, distance) = (sample["proximityNear"], sample["proximityDistance"])
      guard !near.isNaN || !distance.isNaN else { return nil }
      self = .proximity(isNear: near.isNaN ? distance < Self.nearDistance : near > 0.5)
    case .proximityChange:
      let change = sample["proximityChange"]
      guard !change.isNaN else { return nil }
      self = .proximity(isNear: change > 0.5)
    case .battery:
      let (level, state) = (sample["batteryLevel"], sample["batteryState"])
      guard !level.isNaN || !state.isNaN else { return nil }
      self = .battery(
        level: level.isNaN ? nil : Float(level),
        state: state.isNaN ? nil : UIDevice.BatteryState(rawValue: Int(state)))
    default: return nil
    }
  }
}

extension UIDeviceOrientation {
  /// The smallest component of the acceleration along the vertical axis, in g.
  private static let threshold = 0.75

  /// Creates the orientation for an acceleration at rest, or returns `nil` between two orientations.
  fileprivate init?(_ acceleration: CMAcceleration) {
    let components: [(value: Double, negative: UIDeviceOrientation, positive: UIDeviceOrientation)] = [
      (acceleration.x, .landscapeLeft, .landscapeRight), (acceleration.y, .portrait, .portraitUpsideDown),
      (acceleration.z, .faceUp, .faceDown),
    ]
    guard let largest = components.max(by: { abs($0.value) < abs($1.value) }), abs(largest.value) > Self.threshold
    else { return nil }
    self = largest.value < 0 ? largest.negative : largest.positive
  }
}
