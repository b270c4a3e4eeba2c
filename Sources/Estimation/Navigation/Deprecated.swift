// The old names of public declarations.

/// The old name of `HeightEstimate`.
@available(*, deprecated, renamed: "HeightEstimate")
public typealias HeightReading = HeightEstimate
