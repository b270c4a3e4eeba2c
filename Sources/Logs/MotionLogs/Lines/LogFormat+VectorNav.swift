internal import InertialSensors

extension LogFormat {
  /// VectorNav's sentences as received on the serial line, such as `$VNIMU,mag,acc,gyr,temperature,pressure*checksum`:
  /// gauss, m/s² of specific force and rad/s in the unit's axes, x forward, y right, z down. The sentences have no clock.
  static var vectorNav: LogFormat {
    LogFormat(
      id: "vectornav", title: "VectorNav's sentences ($VNIMU, $VNYMR ...)",
      recognition: "sentences that begin with $VN and end with the right checksum",
      units: "m/s² of specific force, rad/s and gauss become g with Core Motion's sign, rad/s and µT; no clock: "
        + "--sample-rate; axes forward, right, down",
      recognizes: { $0.folder == nil && !tags($0.head).isEmpty },
      open: { path, options throws(LogError) in try openSentences(path, options) })
  }

  private static let syntax = MixedLogSyntax(separator: .comma, comment: 0x23, tagField: 0, checksumMark: 0x2A)
  /// The sentences with all three sensors, and the number of fields before the sensors' fields.
  private static let leading = ["$VNIMU": 0, "$VNMAR": 0, "$VNYMR": 3, "$VNQMR": 4, "$VNDMR": 9]

  /// Returns the tags of the complete sentences in the head of a file. The first line may be cut off.
  private static func tags(_ head: [UInt8]) -> Set<String> {
    guard head.contains(0x24) else { return [] }
    let lines = LineScanner(bytes: head, name: "")
    defer { withExtendedLifetime(lines) {} }
    var tags: Set<String> = []
    for _ in 0..<16 {
      guard let line = (try? lines.next()) ?? nil else { break }
      guard line.starts(with: "$VN".utf8), syntax.sentence(line) != nil, let tag = syntax.tag(of: line) else {
        continue
      }
      tags.insert(String(decoding: tag.prefix(8), as: UTF8.self))
    }
    return tags
  }

  private static func openSentences(_ path: String, _ options: LogOptions) throws(LogError) -> MixedLog {
    let tags = tags(try LogCandidate(path: path).head).sorted()
    let known = leading.keys.sorted().joined(separator: ", ")
    guard let tag = tags.first(where: { leading[$0] != nil }), let leading = leading[tag] else {
      throw LogError(
        path: path,
        problem: "VectorNav's sentences \(tags.joined(separator: ", ")) contain no acceleration and rate",
        remedy: "record one of \(known)")
    }
    guard let rate = options.sampleRate else {
      throw LogError(
        path: path, problem: "VectorNav's sentences (\(tag)) have no clock",
        remedy: "give the rate at which they were sent with --sample-rate HZ (VectorNav's own is 40)",
        question: .sampleRate)
    }
    let order = [6, 7, 8, 0, 1, 2, 3, 4, 5]
    let fields: [LineField] = Array(repeating: .skipped, count: 1 + leading) + order.map { LineField.value($0) }
    let output = LineOutput.inertial(
      acceleration: options.specificForceScale, rotation: options.rotationScale,
      field: options.fieldUnit == nil ? 100 : options.fieldScale)
    var description = LogDescription(format: "vectornav", summary: "VectorNav's sentences (\(tag))", path: path)
    description.clock = LogClock(.rows, rate: rate)
    description.declaredRate = rate
    description.notes = [
      options.specificForceNote, "time: the sentence's number divided by \(rate) Hz",
      LogDescription.aerospaceAxes(of: "unit"),
    ]
    return try MixedLog(
      description, syntax: syntax, kinds: [LineKind(tag, fields, output)], clock: .ticks(rate: rate))
  }
}
