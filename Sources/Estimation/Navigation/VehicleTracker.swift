public import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// A position fix, as of a satellite receiver.
public struct PositionFix: Sendable, Equatable {
  /// Seconds on the log's clock.
  public var time: Double
  /// m from the first fix: east, north, up.
  public var position: Vector3
  /// Its standard deviation by component, m.
  public var positionSigma: Vector3
  /// m/s, east and north (up is not used); nil where the receiver tells none.
  public var velocity: Vector3?
  /// Its standard deviation, m/s.
  public var velocitySigma: Double

  /// A fix from its parts.
  public init(
    time: Double, position: Vector3, positionSigma: Vector3, velocity: Vector3? = nil, velocitySigma: Double = 0.5
  ) {
    self.time = time
    self.position = position
    self.positionSigma = positionSigma
    self.velocity = velocity
    self.velocitySigma = velocitySigma
  }
}

/// The path of a vehicle by position fixes and inertial sensors: across the time without fixes it goes on by strapdown
/// integration, and a vehicle on wheels slides neither sideways nor up.
///
/// How the device is mounted does not matter. Which way it faces is tried in twelve directions at once, each with a navigator of
/// its own; fixes and the sensors decide between them as the vehicle turns and changes its speed (a bank of filters: Magill,
/// "Optimal adaptive estimation of sampled stochastic processes", IEEE Trans. Automatic Control 10 (1965)). Which of the
/// device's directions is the vehicle's forward is told by the way it drives.
public struct VehicleTracker: Sendable {
  /// What a user may set.
  public struct Parameters: Sendable, Equatable {
    /// Seconds between measurements.
    package var epoch = 0.1
    /// Speed sideways and upwards in the vehicle's axes, m/s, and for how long it stays the same, s.
    package var slip = 0.05
    package var slipTime = 1.0
    /// How far the body nods on its springs and its tyres slip, rad.
    package var nod = 0.01
    /// Distance of the device from the axle that does not slide, m: the device goes sideways as the vehicle turns.
    package var lever = 1.5
    /// Standard deviation, rad, of gravity's direction at the start, as an attitude filter tells it of a device that is driven.
    package var tiltSigma = 0.1
    /// Standard deviation, rad, of the vehicle's axes in the device at the start, and its random walk, rad/√s.
    package var mountingSigma = 0.15
    package var mountingWalk = 1e-4
    /// Faster than this, m/s, and three times what its own error may be, a vehicle does not stand.
    package var standingSpeed = 0.2
    /// How well the time of a fix is known, s, and for how long its error stays the same, s.
    package var fixTimeSigma = 0.1
    package var fixCorrelation = 1.0
    /// Whether the vehicle is on wheels: no boat, no drone.
    public var isOnWheels = true
    /// Standard deviations of the biases at the start, rad/s and m/s².
    package var gyroscopeBiasSigma = 0.06
    package var accelerometerBiasSigma = 0.2
    /// Velocity random walk by vibration, m/s/√s.
    package var vibration = 0.03
    /// Angle random walk per rad/s of turn, 1/√s: scale and axes that are wrong by 1 % over a turn of 4 s.
    package var gyroscopeScale = 0.02

    /// The defaults.
    public init() {}
  }

  /// What the tracker runs with.
  public let parameters: Parameters
  /// The path so far; nil until fixes, turns and changes of speed have shown which way the device faces.
  public var estimate: TrackEstimate? { path.estimate }

  private enum Event: Sendable {
    case sample(TrackSample)
    case fix(PositionFix)
  }

  /// One for each direction that the device may face; one alone once that is known.
  private var candidates: [VehicleNavigator] = []
  private var isDecided = false
  private var last: TrackSample?
  /// What has come since the first fix while nothing is decided, for the one that is right to begin there.
  private var waiting: [Event] = []
  private var path: PathRecorder

  /// A tracker at its start.
  ///
  /// - Parameters:
  ///   - parameters: the settings of the tracker.
  ///   - keepsTrace: whether `smoothed` is wanted, which takes about 12 kB a second.
  public init(_ parameters: Parameters = Parameters(), keepsTrace: Bool = false) {
    self.parameters = parameters
    path = PathRecorder(keepsTrace: keepsTrace)
  }

  private static let directions = 12
  /// The direction is known where those that are possible differ by less, rad, weighed by how likely they are, and where that of
  /// the likeliest has a smaller standard deviation, rad. Of two opposite ones the other is then less likely than 1 to 1,000.
  private static let spread = 0.1
  private static let headingSigma = 0.15
  /// Logarithm of how much less likely than the likeliest a direction is that is not tried any further.
  private static let hopeless = -20.0

  /// Takes the next moment.
  public mutating func update(_ sample: TrackSample) {
    last = sample
    guard !candidates.isEmpty else { return }
    if path.keepsTrace, !isDecided { waiting.append(.sample(sample)) }
    advance { $0.update(sample) }
  }

  /// Takes a fix; fixes come in order of time, each before the first moment behind it.
  public mutating func update(_ fix: PositionFix) {
    guard let last else { return }
    guard !candidates.isEmpty else {
      candidates = (0..<Self.directions).map { begin(last, fix, Self.direction($0)) }
      return
    }
    if path.keepsTrace, !isDecided { waiting.append(.fix(fix)) }
    advance { $0.update(fix) }
    if !isDecided { decide() }
  }

  private static func direction(_ index: Int) -> Double { 2 * .pi * Double(index) / Double(directions) }

  private func begin(_ sample: TrackSample, _ fix: PositionFix, _ direction: Double, keepsUpdates: Bool = false)
    -> VehicleNavigator
  {
    VehicleNavigator(
      parameters, sample, fix, direction: direction, sigma: .pi / Double(Self.directions), keepsUpdates: keepsUpdates)
  }

  /// - Parameter step: says whether the navigator is at the end of an epoch.
  private mutating func advance(_ step: (inout VehicleNavigator) -> Bool) {
    for index in candidates.indices {
      let isAtEnd = step(&candidates[index])
      if isDecided, isAtEnd { candidates[index].record(in: &path) }
    }
  }

  private mutating func decide() {
    let most = candidates.map(\.evidence).max() ?? 0
    candidates.removeAll { $0.evidence < most + Self.hopeless }
    guard let best = candidates.max(by: { $0.evidence < $1.evidence }), best.isMounted,
      best.headingSigma < Self.headingSigma
    else { return }
    var (sum, square) = (0.0, 0.0)
    for candidate in candidates {
      let weight = exp(candidate.evidence - most)
      let turn = candidate.turn(from: best)
      sum += weight
      square += weight * turn * turn
    }
    guard square < Self.spread * Self.spread * sum else { return }
    (candidates, isDecided) = ([best], true)
    guard path.keepsTrace else {
      candidates[0].record(in: &path)
      return
    }
    // From the first fix on, now that it is known how to begin.
    candidates = [best.restarted(keepsUpdates: true)]
    candidates[0].record(in: &path)
    for event in waiting {
      switch event {
      case .sample(let sample): advance { $0.update(sample) }
      case .fix(let fix): advance { $0.update(fix) }
      }
    }
    waiting = []
  }

  /// The whole path by the whole recording; empty unless the trace was kept.
  public func smoothed() -> [TrackEstimate] { path.smoothed() }
}
