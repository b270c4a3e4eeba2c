internal import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// The path of a vehicle from position fixes and inertial sensors. Strapdown integration bridges times without fixes,
/// and the lateral and vertical velocities of a vehicle on wheels are constrained to zero.
///
/// A boat, a sledge or skis slide, and a device in a pocket moves with its wearer. So a second navigator without the
/// constraint runs in parallel, and the fixes select between them, by the same bank of filters as the headings.
///
/// The mounting of the device is arbitrary. Twelve headings are tried at once, each with its own navigator. Fixes and
/// sensors select between them as the vehicle turns and changes its speed (a bank of filters: Magill, "Optimal adaptive
/// estimation of sampled stochastic processes", IEEE Trans. Automatic Control 10 (1965)). The direction of motion
/// determines the vehicle's forward axis in the device.
public struct VehicleTracker: Sendable, Codable {
  /// The settings of the tracker.
  public struct Parameters: Sendable, Equatable, Codable {
    /// The interval between measurements, in seconds.
    package var epoch = 0.1
    /// The lateral and vertical velocity in the vehicle's axes, in m/s, and its correlation time, in seconds.
    package var slip = 0.05
    package var slipTime = 1.0
    /// The pitch of the body on its springs and the slip angle of the tyres, in radians.
    package var nod = 0.01
    /// The distance of the device from the axle that does not slide, in metres: the device moves sideways as the
    /// vehicle turns.
    package var lever = 1.5
    /// The standard deviation of the initial gravity direction of an attitude filter in a moving vehicle, in radians.
    package var tiltSigma = 0.1
    /// The standard deviation of the vehicle's axes in the device at the start, rad, and its random walk, rad/√s.
    package var mountingSigma = 0.15
    package var mountingWalk = 1e-4
    /// The minimum speed of a moving vehicle, in m/s, in addition to three times its standard deviation.
    package var standingSpeed = 0.2
    /// The standard deviation of a fix's time, in seconds.
    package var fixTimeSigma = 0.1
    /// Whether the vehicle is on wheels, unlike a boat or a drone.
    public var isOnWheels = true
    /// The standard deviations of the biases at the start, in rad/s and m/s².
    package var gyroscopeBiasSigma = 0.06
    package var accelerometerBiasSigma = 0.2
    /// The velocity random walk from vibration, in m/s/√s.
    package var vibration = 0.03
    /// The angle random walk per rad/s of rotation, in 1/√s: scale and axes that are wrong by 2 % over a turn of 4 s.
    package var gyroscopeScale = 0.04

    /// The default settings.
    public init() {}
  }

  /// The settings of the tracker.
  public let parameters: Parameters
  /// The causal path's newest estimate, or `nil` until fixes, turns and speed changes have determined the heading.
  public var estimate: TrackEstimate? { paths[selected].estimate }
  /// Whether the fixes contradict that the vehicle moves only forward and backward.
  public var isSliding: Bool { parameters.isOnWheels && selected == 1 }

  /// The decision whether the vehicle is on wheels, or none before the heading is known or if it is declared.
  package var decisions: [AutomaticDecision] {
    guard let start = paths[0].start, parameters.isOnWheels else { return [] }
    return [
      isSliding
        ? AutomaticDecision(
          "wheels", "sideways and vertical motion is free", since: start, basis: "the fixes contradict wheels")
        : AutomaticDecision(
          "wheels", "no sideways or vertical motion", since: start, basis: "the fixes do not contradict wheels")
    ]
  }

  private enum Event: Sendable, Codable {
    case sample(TrackSample)
    case fix(PositionFix)
  }

  /// The navigators of all possible headings, or of the one that was selected: with the constraint of wheels, and
  /// without it.
  private var candidates: [VehicleNavigator] = []
  private var isDecided = false
  private var last: TrackSample?
  /// The samples and fixes since the first fix that the selected navigator will process again.
  private var pending: [Event] = []
  private let keepsTrace: Bool
  /// The paths of the navigators of the selected heading.
  private var paths = [PathRecorder(), PathRecorder()]

  /// Creates a tracker.
  ///
  /// - Parameters:
  ///   - parameters: The settings of the tracker.
  ///   - keepsTrace: Whether to keep the data for `smoothed`, about 20 kB per second.
  public init(_ parameters: Parameters = Parameters(), keepsTrace: Bool = false) {
    self.parameters = parameters
    self.keepsTrace = keepsTrace
  }

  private static let directions = 12
  /// The maximum spread of the headings, weighted by likelihood, and the maximum standard deviation of the most likely
  /// one for a decision, in radians. The opposite of two headings is then less likely than 1 to 1,000.
  private static let spread = 0.1
  private static let headingSigma = 0.15
  /// The logarithm of the likelihood ratio to the most likely heading, below which a heading is discarded.
  private static let hopeless = -20.0
  /// The logarithm of the likelihood ratio above which the fixes contradict the constraint of wheels: 1,000 to 1.
  private static let contradiction = 6.9
  /// The time constant of that likelihood in a causal path, in seconds.
  private static let memory = 60.0

  /// The index of the navigator that the fixes select.
  ///
  /// A receiver whose errors are larger than it states contradicts both navigators. The mean square of the innovations
  /// without the constraint measures this and divides the likelihood's logarithm.
  private var selected: Int {
    guard isDecided, candidates.count > 1 else { return 0 }
    let misfit = max(1, candidates[1].misfitSquares / max(1, candidates[1].misfitCount))
    return candidates[1].evidence - candidates[0].evidence > Self.contradiction * misfit ? 1 : 0
  }

  /// Adds the next sample. Samples with impossible values are skipped.
  public mutating func update(_ sample: TrackSample) {
    guard sample.isPossible else { return }
    last = sample
    guard !candidates.isEmpty else { return }
    if keepsTrace, !isDecided { pending.append(.sample(sample)) }
    advance { $0.update(sample) }
  }

  /// Adds a fix. Fixes are in chronological order, and each precedes the first later sample.
  public mutating func update(_ fix: PositionFix) {
    guard let last else { return }
    guard !candidates.isEmpty else {
      candidates = (0..<Self.directions).map { begin(last, fix, Self.direction($0)) }
      return
    }
    if keepsTrace, !isDecided { pending.append(.fix(fix)) }
    let before = candidates[0].lastFix?.time ?? fix.time
    advance { $0.update(fix) }
    if !isDecided {
      decide()
    } else if !keepsTrace {
      let left = exp(min(before - fix.time, 0) / Self.memory)
      for index in candidates.indices { candidates[index].fadeEvidence(by: left) }
    }
  }

  private static func direction(_ index: Int) -> Double { 2 * .pi * Double(index) / Double(directions) }

  private func begin(_ sample: TrackSample, _ fix: PositionFix, _ direction: Double) -> VehicleNavigator {
    VehicleNavigator(parameters, sample, fix, direction: direction, sigma: .pi / Double(Self.directions))
  }

  /// - Parameter step: Returns whether the navigator is at the end of an epoch.
  private mutating func advance(_ step: (inout VehicleNavigator) -> Bool) {
    for index in candidates.indices {
      let isAtEnd = step(&candidates[index])
      if isDecided, isAtEnd { candidates[index].record(in: &paths[index]) }
    }
  }

  private mutating func decide() {
    let maximum = candidates.map(\.evidence).max() ?? 0
    candidates.removeAll { $0.evidence < maximum + Self.hopeless }
    guard let best = candidates.max(by: { $0.evidence < $1.evidence }), best.isMounted,
      best.headingSigma < Self.headingSigma
    else { return }
    var (sum, square) = (0.0, 0.0)
    for candidate in candidates {
      let weight = exp(candidate.evidence - maximum)
      let turn = candidate.turn(from: best)
      sum += weight
      square += weight * turn * turn
    }
    guard square < Self.spread * Self.spread * sum else { return }
    // With a trace, processes everything since the first fix again, with the known heading.
    var chosen = keepsTrace ? best.restarted() : best
    chosen.fadeEvidence(by: 0)
    (candidates, isDecided) = ([chosen], true)
    if parameters.isOnWheels {
      chosen.usesWheels = false
      candidates.append(chosen)
    }
    for index in candidates.indices { candidates[index].record(in: &paths[index]) }
    for event in pending {
      switch event {
      case .sample(let sample): advance { $0.update(sample) }
      case .fix(let fix): advance { $0.update(fix) }
      }
    }
    pending = []
  }

  /// Returns the smoothed path of the whole recording; empty unless the trace was kept.
  public func smoothed() -> [TrackEstimate] {
    isDecided ? paths[selected].smoothed(candidates[selected].navigator) : []
  }
}
