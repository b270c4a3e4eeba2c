// The old names of public declarations.

/// The old name of `SenderPolicy`.
@available(*, deprecated, renamed: "SenderPolicy")
public typealias StreamAdmission = SenderPolicy
