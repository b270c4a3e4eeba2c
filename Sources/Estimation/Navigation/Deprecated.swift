// The old names of public declarations.

@available(*, deprecated, renamed: "HeightEstimate")
public typealias HeightReading = HeightEstimate
