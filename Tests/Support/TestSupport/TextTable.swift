/// A table of separated text with one header line, as tests read datasets and command output.
public struct TextTable: Sendable {
  public let header: [String]
  /// The fields of the rows below the header.
  public let fields: [[String]]

  /// Lines that begin with `#` and empty lines are skipped.
  public init(_ text: String, separator: Character = ",") {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
    header = lines.first ?? []
    fields = Array(lines.dropFirst())
  }

  /// The rows as numbers; a field that is not a number is NaN.
  public var rows: [[Double]] { fields.map { $0.map { Double($0) ?? .nan } } }

  /// Returns a column's numbers, or an empty array if the header does not have the name.
  public subscript(name: String) -> [Double] {
    guard let index = header.firstIndex(of: name) else { return [] }
    return fields.map { index < $0.count ? Double($0[index]) ?? .nan : .nan }
  }
}
