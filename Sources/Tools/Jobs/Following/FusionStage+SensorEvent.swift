internal import InertialLive
internal import InertialSensors

extension FusionStage {
  /// Fuses an event of a validated stream to rows.
  mutating func append(_ event: SensorEvent) throws(FusionError) {
    switch event {
    case .samples(let samples):
      try fuse(samples)
      // The line's samples are complete, and later samples have later times.
      if let last = samples.last { try close(through: last.time) }
    case .auxiliary(let samples): add(samples)
    case .discontinuity: try restart()
    case .silence, .end: break
    }
  }
}
