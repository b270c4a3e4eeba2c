internal import InertialFusion
internal import InertialLogs
internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// Writes device motions as rows of the chosen columns.
///
/// A sink that is released without a call of `close` leaves no file.
struct RowSink {
  /// The number of first rows that the report contains.
  private static let shownCount = 3

  private let writer: any TableWriter
  /// The indices in `values` of the columns of a row.
  private let indices: [Int]
  /// The buffer of rows that need samples of other channels, or `nil` if no channel is carried.
  private var awaitingChannels: RowsAwaitingChannels?
  /// The number of columns of a written row.
  private let width: Int
  /// The writer of events, or `nil` if no events are requested.
  private var events: EventTableWriter?
  /// The metadata files of formats that cannot contain metadata.
  private var sidecars: [AtomicFile] = []
  /// The paths of the output files; event and metadata files come first.
  private var paths: [String] = []
  let metadata: DatasetMetadata
  /// The index of the time in a written row, or `nil` if no time origin is subtracted.
  private let timeColumn: Int?
  /// The index of the column `line` in a row, or `nil` if it is not requested.
  private let lineColumn: Int?
  /// The values of one motion for all columns.
  private var values = [Double](repeating: .nan, count: FusedColumn.firstInnovation + FusedColumn.innovations.count)
  private let hasAngles: Bool
  private let hasInnovations: Bool
  private let hasTrust: Bool
  private let needsNorth: Bool
  /// The relative attitude, or `nil` if no column needs it.
  private(set) var relative: RelativeAttitudes?
  /// The indices in a row of the recognised values, and their indices among `FusedColumn.recognised`.
  private let recognisedColumns: [(column: Int, index: Int)]
  /// Those of `recognisedColumns` whose values are known with the motion.
  private var causalColumns: [(column: Int, index: Int)]
  /// The rows that are passed to the writer together.
  private var rows: [Double] = []
  /// The rows without the values that only the whole log determines; `nil` if all rows are written at once.
  private var awaitingLog: RowsAwaitingLog?
  /// The first three motions.
  private(set) var first: [DeviceMotion] = []
  private(set) var last: DeviceMotion?
  /// The number of the current segment between gaps, from 1.
  var segment = 1
  /// The recognised values of the last row, in the order of `FusedColumn.recognised`; empty without recognisers.
  private(set) var recognised: [Double] = []

  /// Creates a sink for a job's outputs, with a file of events and metadata files if they are requested.
  init(
    outputs: [DatasetOutput], log: LogDescription, options: FusionOptions, declination: MagneticDeclination? = nil,
    isOverlapped: Bool = true
  ) throws(FusionError) {
    let own = try Self.ownColumns(options, outputs)
    let channels = options.channels(of: log)
    let metadata = DatasetMetadata(
      log: log, options: options, declination: declination,
      needsChecksum: options.writesMetadata || outputs.contains { $0.format.hasMetadata })
    let writer = try outputs.writer(
      of: (own + FusedColumn.carried(channels)).map(\.name), metadata, options, isOverlapped: isOverlapped)
    self.init(writer: writer, own: own, log: log, options: options, metadata: metadata)
    let eventChannels = Set(channels.filter(\.isEvent))
    do throws(OutputError) {
      // Standard output has no file next to it, so its events are reported and left out.
      if outputs[0].path != "-", !eventChannels.isEmpty {
        let path = DatasetFormat.eventsPath(of: outputs[0].path)
        events = try EventTableWriter(path: path, channels: eventChannels, force: options.force)
        paths.append(path)
      }
      for path in options.writesMetadata ? outputs.compactMap(\.metadataPath) : [] {
        sidecars.append(try AtomicFile(path: path, force: options.force))
        paths.append(path)
      }
    } catch {
      throw FusionError(error)
    }
    paths += outputs.map(\.path)
  }

  /// Creates a sink for one writer. The caller handles events, as no file is written for them.
  ///
  /// - Parameter own: The columns of a row before those of other channels, or `nil` for the requested columns.
  init(
    writer: any TableWriter, own: [FusedColumn]? = nil, log: LogDescription, options: FusionOptions,
    metadata: DatasetMetadata
  ) {
    let own = own ?? options.motionColumns + options.recognisedColumns
    let channels = options.channels(of: log)
    (self.writer, self.metadata) = (writer, metadata)
    indices = own.map(\.index)
    hasAngles = indices.contains { (5...7).contains($0) }
    hasInnovations = own.contains { $0.measurement != nil }
    hasTrust = own.contains(where: FusedColumn.trust.contains)
    needsNorth = options.motion.frame.isNorthReferenced
    relative = options.relativeAttitudes
    recognisedColumns = own.enumerated().compactMap { position, column in
      column.recognition == nil ? nil : (position, column.index - FusedColumn.all.count)
    }
    causalColumns = recognisedColumns
    if channels.contains(where: { !$0.isEvent }) {
      awaitingChannels = RowsAwaitingChannels(ownCount: indices.count, channels: channels)
    }
    width = awaitingChannels?.width ?? indices.count
    timeColumn = options.startsAtZero ? indices.firstIndex(of: 0) : nil
    lineColumn = indices.firstIndex(of: FusedColumn.line.index)
  }

  /// Lets all rows wait for `complete`, which sets the values of these recognitions. Called before the first row.
  mutating func wait(for recognitions: Set<Recognition>) {
    let isKnown = { !recognitions.contains(FusedColumn.recognised[$0].recognition!) }
    causalColumns = recognisedColumns.filter { isKnown($0.index) }
    awaitingLog = RowsAwaitingLog(width: width, missing: recognisedColumns.filter { !isKnown($0.index) }.map(\.column))
  }

  /// Sets the values from the whole log in the waiting rows, and writes these.
  mutating func complete(_ known: inout KnownColumns) throws(FusionError) {
    try writePending()
    guard let awaitingLog = awaitingLog.take() else { return }
    try awaitingLog.forEachBlock { (rows, times) throws(FusionError) in
      known.fill(&rows, at: times, columns: recognisedColumns)
      do throws(OutputError) { try writer.append(rows) } catch { throw FusionError(error) }
    }
    known.fill(&recognised)
  }

  /// The number of rows, complete after `close`.
  var rowCount: Int { writer.rowCount }

  /// The number of events, or `nil` if no events were requested.
  var eventCount: Int? { events?.count }

  /// Returns the requested columns and the additional columns that formats with fixed columns need.
  private static func ownColumns(
    _ options: FusionOptions, _ outputs: [DatasetOutput]
  ) throws(FusionError) -> [FusedColumn] {
    let isTaken = outputs.contains { $0.format.neededColumns(options) == nil }
    var columns = isTaken ? options.motionColumns + options.recognisedColumns : []
    let needed = outputs.flatMap { $0.format.neededColumns(options) ?? [] }
    for name in needed where !columns.contains(where: { $0.name == name }) {
      columns += try FusedColumn.named([name])
    }
    return columns
  }

  /// Adds samples of other channels. Add all samples up to a time before the motions of later times.
  mutating func add(_ samples: [AuxiliarySample]) {
    for sample in samples {
      if sample.channel.isEvent { events?.append(sample) } else { awaitingChannels?.add(sample) }
    }
  }

  /// Finishes the input of other channels.
  mutating func finishAuxiliary() { awaitingChannels?.finish() }

  /// Appends rows.
  ///
  /// - Parameters:
  ///   - recognised: The recognised values of each row, in the order of `FusedColumn.recognised`, or no values.
  ///   - lines: The line of each motion's gyroscope sample, 0 if it has no line, or no lines.
  mutating func append(
    _ motions: [DeviceMotion], recognised: [Double] = [], lines: [UInt32] = []
  ) throws(FusionError) {
    guard let newest = motions.last else { return }
    fillRows(motions, recognised)
    if let lineColumn, !lines.isEmpty {
      for row in motions.indices where lines[row] > 0 { rows[row * indices.count + lineColumn] = Double(lines[row]) }
    }
    awaitingLog?.append(times: motions.indices.map { motions[$0].isUnknown ? .nan : motions[$0].time })
    if awaitingChannels == nil {
      // All rows in one call: passing on a single row takes as long as filling it.
      let rows = rows
      try rows.withUnsafeBufferPointer { (rows) throws(FusionError) in try write(rows) }
    } else {
      for index in motions.indices {
        awaitingChannels!.append(
          rows[(index * indices.count)..<((index + 1) * indices.count)], time: motions[index].time)
        if awaitingChannels!.isFull { try writePending() }
      }
    }
    if first.count < Self.shownCount { first += motions.prefix(Self.shownCount - first.count) }
    last = newest
    self.recognised = Array(recognised.suffix(recognised.count / motions.count))
  }

  /// Sets `rows` to the values of the chosen columns.
  private mutating func fillRows(_ motions: [DeviceMotion], _ recognised: [Double]) {
    let width = indices.count
    rows.removeAll(keepingCapacity: true)
    rows.append(contentsOf: repeatElement(.nan, count: width * motions.count))
    let recognisedCount = recognised.count / motions.count
    motions.withUnsafeBufferPointer { motions in
      rows.withUnsafeMutableBufferPointer { rows in
        for row in motions.indices {
          let motion = motions.baseAddress! + row
          motion.fill(
            &values, segment: Double(segment), hasAngles: hasAngles, hasInnovations: hasInnovations,
            hasTrust: hasTrust, needsNorth: needsNorth)
          relative?.fill(
            &values, motion.pointee.isUnknown ? nil : motion.pointee.attitude, at: motion.pointee.time)
          let start = row * width
          values.withUnsafeBufferPointer { values in
            indices.withUnsafeBufferPointer { indices in
              for column in 0..<width { rows[start + column] = values[indices[column]] }
            }
          }
          if let timeColumn { rows[start + timeColumn] = metadata.time(motion.pointee.time) }
          // Without a motion estimate, nothing is recognised.
          guard recognisedCount > 0, !motion.pointee.isUnknown else { continue }
          for (column, index) in causalColumns { rows[start + column] = recognised[row * recognisedCount + index] }
        }
      }
    }
  }

  /// Writes the buffered rows that are complete.
  private mutating func writePending() throws(FusionError) {
    guard var pending = awaitingChannels.take() else { return }
    defer { awaitingChannels = pending }
    try pending.takeComplete { (rows) throws(FusionError) in try write(rows) }
  }

  /// Writes rows, or lets them wait.
  private mutating func write(_ rows: UnsafeBufferPointer<Double>) throws(FusionError) {
    guard awaitingLog == nil else { return awaitingLog!.append(rows) }
    do throws(OutputError) { try writer.append(rows) } catch { throw FusionError(error) }
  }

  /// Writes all complete rows, for live readers.
  mutating func flush() throws(FusionError) {
    try writePending()
    do throws(OutputError) { try writer.flush() } catch { throw FusionError(error) }
  }

  /// Moves the files to their final names.
  mutating func close() throws(FusionError) {
    try writePending()
    try OutputFiles.complete(writer, metadata, sidecars: sidecars, events: events, paths: paths)
  }
}

extension RowSink {
  /// The part of a stream's sink that depends on the rows.
  struct State: Codable {
    fileprivate var awaitingChannels: RowsAwaitingChannels?
    fileprivate var reference: Attitude?
    fileprivate var first: [DeviceMotion]
    fileprivate var last: DeviceMotion?
    fileprivate var segment: Int
    fileprivate var recognised: [Double]
  }

  /// The state, with which a sink of the same options continues.
  var state: State {
    get {
      State(
        awaitingChannels: awaitingChannels, reference: relative?.reference, first: first, last: last, segment: segment,
        recognised: recognised)
    }
    set {
      awaitingChannels = newValue.awaitingChannels
      relative?.reference = newValue.reference
      (first, last, segment, recognised) = (newValue.first, newValue.last, newValue.segment, newValue.recognised)
    }
  }
}
