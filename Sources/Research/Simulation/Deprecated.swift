// The old names of public declarations.

@available(*, deprecated, renamed: "HandheldTrajectory")
public typealias HeldTrajectory = HandheldTrajectory
