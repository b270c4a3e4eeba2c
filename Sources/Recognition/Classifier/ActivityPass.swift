package import Sensors

/// The classifier over a stream, with what else the stream tells: shakes, air pressure, speed.
package struct ActivityPass: Sendable {
  /// Seconds between two moments of a shake that the classifier is told of.
  private static let shakeInterval = 0.05

  package private(set) var classifier: ActivityClassifier
  private var shakes: ShakeDetector<ReferenceRule>
  private var isShaking = false
  private var toldShake = -Double.infinity

  /// What an activity is helped by, where the stream has it.
  package static let channels: Set<AuxiliaryChannel> = [.barometer, .location]

  package init(_ classifier: ActivityClassifier) {
    self.classifier = classifier
    var options = GestureOptions()
    options.isOneShot = false
    shakes = ShakeDetector(options: options)
  }

  package mutating func update(_ sample: MotionSample) -> MotionActivity? {
    if let event = shakes.update(sample) {
      isShaking = event.phase == .began
      // A shake is told of half a second after it has begun.
      if isShaking { tellShake(from: event.start, to: sample.time) }
    } else if isShaking {
      tellShake(from: sample.time, to: sample.time)
    }
    return classifier.update(sample)
  }

  private mutating func tellShake(from start: Double, to end: Double) {
    var time = max(start, toldShake + Self.shakeInterval)
    while time <= end {
      classifier.noteOtherMotion(at: time)
      toldShake = time
      time += Self.shakeInterval
    }
  }

  package mutating func add(_ sample: AuxiliarySample) {
    switch sample.channel {
    case .barometer: classifier.update(pressure: sample["pressure"], at: sample.time)
    case .location: classifier.update(speed: sample["speed"], at: sample.time)
    default: break
    }
  }
}
