internal import LinearAlgebra
internal import SystemLibrary

/// The direction of a person who carries a device, up to a constant: how far the device has turned about the vertical.
///
/// The gyroscope's bias is what it measures while the device lies or is held still. While the device is tilted over by
/// much, it is taken up or put away: what it turns about the vertical meanwhile is not the person's turn.
struct CarriedHeading: Sendable {
  /// From the frame's X, rad, unwrapped.
  private(set) var direction = 0.0
  private var bias = Vector3.zero
  private var time: Double?
  private var rest = RestingRate(rate: 0.05, force: 0.5, time: 2)
  private var smoothUp: Vector3?

  /// Angle between up in the device and what it was over the last seconds from which on the device is being handled, rad.
  private static let handlingAngle = 0.8
  private static let upMemory = 2.0
  private static let longestPause = 0.5

  mutating func update(_ sample: TrackSample) {
    defer { time = sample.time }
    guard let time else {
      direction = sample.heading
      smoothUp = sample.up
      return
    }
    let dt = sample.time - time
    guard dt > 0, dt <= Self.longestPause else { return }
    rest.update(sample, bias: bias)
    if let rate = rest.mean { bias = rate }
    let weight = dt / (Self.upMemory + dt)
    let mean = (smoothUp! + weight * (sample.up - smoothUp!))
    smoothUp = mean
    let isHandled = mean.angle(to: sample.up) > Self.handlingAngle
    guard !isHandled else { return }
    direction += sample.up.dot(sample.rate - bias) * dt
  }
}
