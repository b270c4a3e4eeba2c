// The old names of public declarations.

@available(*, deprecated, renamed: "SenderPolicy")
public typealias StreamAdmission = SenderPolicy
