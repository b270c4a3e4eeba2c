import Inertial

extension FusionOptions {
  /// Creates the request that the options of a command describe.
  ///
  /// - Parameters:
  ///   - columns: The columns in addition to the motion, or `nil` for none.
  ///   - bids: The facts for a BIDS dataset, or `nil` for none.
  ///   - writing: The output, or `nil` for rows that are not written.
  ///   - resolvesSettings: Whether `--set` is resolved for the filter; `false` for a command that compares filters.
  init(
    _ attitude: AttitudeArguments, _ quality: QualityArguments, _ log: LogArguments, columns: ColumnArguments? = nil,
    track: TrackOptions = TrackOptions(), bids: BIDSArguments? = nil, writing: OutputArguments? = nil,
    resolvesSettings: Bool = true
  ) throws(FusionError) {
    self.init()
    (filter, smooths, isCausal) = (attitude.filter, attitude.smooth, attitude.online)
    (motion.frame, frameNeedsField) = (attitude.frame ?? .commandDefault, attitude.frame != nil)
    (motion.field, motion.pointingAxis) = (attitude.parameters.field, attitude.pointing)
    let given = try attitude.place.given()
    (location, date) = (given.place, given.year)
    if resolvesSettings {
      let settings = try attitude.parameters.parameterSettings()
      self.settings = try settings.resolved(for: [filterRegistry.requested(filter)], of: filterRegistry)[0]
    }
    (gaps, gap, strict) = (quality.gaps, quality.gap, quality.strict)
    self.log = try log.options
    self.track = track
    try columns?.apply(to: &self)
    if let bids { (self.bids, about) = (try bids.entities(), try bids.facts()) }
    readFiles = [attitude.parameters.noise, log.calibration, bids?.about].compactMap(\.self)
    try writing?.apply(to: &self)
  }
}
