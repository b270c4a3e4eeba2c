/// Numbers that several filters have in common: a filter's parameters hold the group and describe its numbers as
/// theirs.
protocol ParameterGroup: Sendable, Codable, Equatable {
  static var descriptions: [ParameterDescription<Self>] { get }
}

extension ParameterGroup {
  /// The descriptions for a filter's parameters that hold the group at `path`.
  static func descriptions<Parameters>(
    at path: any WritableKeyPath<Parameters, Self> & Sendable
  ) -> [ParameterDescription<Parameters>] {
    descriptions.map { ParameterDescription($0, of: path) }
  }
}
