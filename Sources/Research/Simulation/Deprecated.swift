// The old names of public declarations.

/// The old name of `HandheldTrajectory`.
@available(*, deprecated, renamed: "HandheldTrajectory")
public typealias HeldTrajectory = HandheldTrajectory
