/// The kinds of CSV.
enum CSVFormat: String, CaseIterable {
  case canonical = "canonical-csv"
  case deviceMotion = "device-motion-csv"
  case reference = "reference-csv"
  case described = "header-csv"

  var summary: String {
    switch self {
    case .canonical: "canonical raw CSV (s, g with Core Motion's sign, rad/s, µT)"
    case .deviceMotion: "device-motion CSV (fused columns; raw acceleration = gravity + userAcceleration)"
    case .reference: "reference orientation CSV (time and quaternion)"
    case .described: "CSV whose header names quantities and units"
    }
  }

  /// Whether a file's head has a header of this kind.
  func recognizes(_ candidate: LogCandidate) -> Bool {
    guard candidate.folder == nil, !candidate.head.isEmpty else { return false }
    let scanner = LineScanner(bytes: candidate.head, name: candidate.path)
    guard let header = try? CSVHeader(scanner, columns: nil),
      let layout = try? CSVLayoutBuilder.layout(of: header, options: LogOptions(), path: candidate.path)
    else { return false }
    return layout.format == self
  }
}
