/// Numbers that several filters share: a filter's parameters contain the group and describe its numbers as their own.
protocol ParameterGroup: Sendable, Codable, Equatable {
  static var descriptions: [ParameterDescription<Self>] { get }
}

extension ParameterGroup {
  /// Returns the descriptions for a filter's parameters that store the group at `path`.
  static func descriptions<Parameters>(
    at path: any WritableKeyPath<Parameters, Self> & Sendable
  ) -> [ParameterDescription<Parameters>] {
    descriptions.map { ParameterDescription($0, of: path) }
  }
}
