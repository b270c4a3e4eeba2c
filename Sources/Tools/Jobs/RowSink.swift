internal import InertialFusion
internal import InertialLogs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// Writes device motions as rows of the chosen columns.
///
/// A sink that is released without a call of `close` leaves no file.
struct RowSink {
  /// The number of first rows that the report contains.
  private static let shownCount = 3

  private let writer: any TableWriter
  private let indices: [Int]
  /// The buffer of rows that need samples of other channels, or `nil` if no channel is carried.
  private var carried: PendingRows?
  /// The writer of events, or `nil` if no events are requested.
  private var events: EventSink?
  /// The metadata files of formats that cannot contain metadata.
  private var sidecars: [AtomicFile] = []
  /// The names of the output files; event and metadata files come first.
  private var newNames = NewNames([])
  private let metadata: DatasetMetadata
  /// The index of the time in a written row, or `nil` if no time origin is subtracted.
  private var timePlace: Int?
  private var row: FusedRow
  private var chosen: [Double]
  /// The rows that are passed to the writer together.
  private var rows: [Double] = []
  private var first: [DeviceMotion] = []
  private var last: DeviceMotion?
  /// The last row that an earlier process wrote to an append-only file, or `nil` if there is no such row.
  private(set) var lastLine: String?
  /// The number of the current segment between gaps, from 1.
  var segment = 1 {
    didSet { row.segment = Double(segment) }
  }
  /// The recognised values of the following rows, in the order of `FusedColumn.recognised`; empty without recognisers.
  var recognised: [Double] = []

  /// Creates a sink for live rows: on standard output, in a pipe, or in an append-only file.
  ///
  /// - Parameter goesOn: Whether rows are appended to an existing file.
  init(following output: String, log: LogDescription, options: FusionOptions, goesOn: Bool) throws(FusionError) {
    let own = options.motionColumns + options.recognisedColumns
    let channels = options.channels(of: log)
    let metadata = DatasetMetadata(log: log, options: options, needsChecksum: false)
    self.metadata = metadata
    let exact = Set(metadata.columns.indices.filter { Self.exact.contains(metadata.columns[$0].name) })
    let columns = metadata.columnNames(withUnits: options.writesUnits)
    do throws(OutputError) {
      if OutputStreams.isStream(output) {
        writer = try NumberTableWriter(
          path: output, columns: columns, digits: options.digits, exactColumns: exact, isOverlapped: false,
          isLive: true)
      } else {
        let table = try NumberTableWriter(
          growing: output, columns: columns, digits: options.digits, exactColumns: exact, force: options.force,
          goesOn: goesOn)
        lastLine = table.lastLine
        writer = table
      }
    } catch {
      throw FusionError(error)
    }
    indices = own.map(\.index)
    row = FusedRow(columns: own)
    chosen = Array(repeating: .nan, count: indices.count)
    if !channels.isEmpty { carried = PendingRows(ownCount: indices.count, channels: channels) }
    timePlace = options.startsAtZero ? indices.firstIndex(of: 0) : nil
  }

  init(
    outputs: [DatasetOutput], input: String, log: LogDescription, options: FusionOptions,
    declination: MagneticDeclination? = nil, isOverlapped: Bool = true
  ) throws(FusionError) {
    let own = try Self.ownColumns(options, outputs)
    let channels = options.channels(of: log)
    let metadata = DatasetMetadata(
      log: log, options: options, declination: declination,
      needsChecksum: options.writesMetadata || outputs.contains { $0.format.hasMetadata })
    self.metadata = metadata
    let names = (own + FusedColumn.carried(channels)).map(\.name)
    var branches: [FanOutTable.Branch] = []
    for output in outputs {
      let wanted = output.format.neededColumns(options) ?? options.columns(of: log).map(\.name)
      branches.append(
        FanOutTable.Branch(
          writer: try Self.writer(output, metadata, options, isOverlapped),
          places: wanted == names ? nil : wanted.compactMap(names.firstIndex)))
    }
    writer =
      branches.count == 1 && branches[0].places == nil
      ? branches[0].writer : FanOutTable(columnCount: names.count, branches: branches)
    indices = own.map(\.index)
    row = FusedRow(columns: own)
    chosen = Array(repeating: .nan, count: indices.count)
    if channels.contains(where: { !$0.isEvent }) {
      carried = PendingRows(ownCount: indices.count, channels: channels)
    }
    // Standard output has no file next to it, so its events are reported and left out.
    if outputs[0].path != "-" {
      events = try EventSink(output: outputs[0].path, channels: channels, force: options.force)
    }
    timePlace = options.startsAtZero ? indices.firstIndex(of: 0) : nil
    if options.writesMetadata { try addSidecars(outputs, force: options.force) }
    newNames = NewNames(
      (events == nil ? [] : [EventSink.path(for: outputs[0].path)])
        + (options.writesMetadata ? outputs.compactMap(\.metadataPath) : []) + outputs.map(\.path))
  }

  /// Creates a sink for a table that is not a file. The caller handles events, as no file is written for them.
  ///
  /// - Parameter needsFacts: Whether `facts` will be read, which requires another read of the whole input.
  init(
    table: any TableWriter, log: LogDescription, options: FusionOptions, declination: MagneticDeclination?,
    needsFacts: Bool
  ) throws(FusionError) {
    let own = options.motionColumns + options.recognisedColumns
    let channels = options.channels(of: log)
    metadata = DatasetMetadata(log: log, options: options, declination: declination, needsChecksum: needsFacts)
    writer = table
    indices = own.map(\.index)
    row = FusedRow(columns: own)
    chosen = Array(repeating: .nan, count: indices.count)
    if channels.contains(where: { !$0.isEvent }) {
      carried = PendingRows(ownCount: indices.count, channels: channels)
    }
    timePlace = options.startsAtZero ? indices.firstIndex(of: 0) : nil
  }

  /// The log's time that is 0 in the rows, or `nil` if the rows have the log's own times.
  var timeOrigin: Double? { metadata.timeOrigin }

  /// The metadata of the dataset as JSON. Blocks until the checksum of the input is computed.
  var facts: String { metadata.json() }

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

  static func writer(
    _ output: DatasetOutput, _ metadata: DatasetMetadata, _ options: FusionOptions, _ isOverlapped: Bool
  ) throws(FusionError) -> any TableWriter {
    let (path, force) = (output.path, options.force)
    guard path != "-" || output.format.isStreamable else {
      throw .usage(
        "\(output.format.rawValue) cannot be written to standard output; give a path with -o, or --format csv")
    }
    guard options.digits == nil || output.format.isText else {
      throw .usage("--digits applies to text, but \(output.format.rawValue) stores full precision; omit it")
    }
    do throws(OutputError) {
      switch output.format {
      case .csv:
        let columns = metadata.columns
        return try NumberTableWriter(
          path: path, columns: metadata.columnNames(withUnits: options.writesUnits), digits: options.digits,
          // Times, latitudes and longitudes are written exactly: a rounded value could equal a different one.
          exactColumns: Set(columns.indices.filter { Self.exact.contains(columns[$0].name) }),
          force: force, isOverlapped: isOverlapped)
      case .hdf5: return try HDF5RowTable(output: path, metadata: metadata, force: force)
      case .npz:
        return try NPZTableWriter(path: path, columns: metadata.columns.map(\.name), force: force) {
          [("metadata", metadata.json())]
        }
      case .parquet:
        return try ParquetTableWriter(
          output: path, metadata: metadata, lists: options.writesLists, force: force, isOverlapped: isOverlapped)
      case .mcap:
        return try MCAPTableWriter(
          output: path, metadata: metadata, columns: MCAPTableWriter.fusedColumns,
          turnsToEast: options.motion.frame.isNorthReferenced, force: force, isOverlapped: isOverlapped)
      case .tum:
        return try TUMRowTable(
          output: path, metadata: metadata, options: options, force: force, isOverlapped: isOverlapped)
      case .euroc: return try EuRoCRowTable(output: path, metadata: metadata, options: options, force: force)
      case .bids: break
      }
    } catch {
      throw FusionError(error)
    }
    return try BIDSRowTable(
      output: path, kind: .derivative, metadata: metadata, entities: options.bids, about: options.about,
      frame: options.motion.frame.name,
      nominalRate: options.rate, digits: options.digits, force: force, isOverlapped: isOverlapped)
  }

  private static let exact: Set<String> = ["time", "latitude", "longitude", "trackLatitude", "trackLongitude"]

  private mutating func addSidecars(_ outputs: [DatasetOutput], force: Bool) throws(FusionError) {
    do throws(OutputError) {
      for path in outputs.compactMap(\.metadataPath) { sidecars.append(try AtomicFile(path: path, force: force)) }
    } catch {
      throw FusionError(error)
    }
  }

  /// Adds samples of other channels. Add all samples up to a time before the motions of later times.
  mutating func add(_ samples: [AuxiliarySample]) {
    for sample in samples {
      if sample.channel.isEvent { events?.add(sample) } else { carried?.add(sample) }
    }
  }

  /// Finishes the input of other channels.
  mutating func finishAuxiliary() { carried?.finish() }

  mutating func append(_ motion: DeviceMotion) throws(FusionError) {
    try write(motion)
    if first.count < Self.shownCount { first.append(motion) }
    last = motion
  }

  mutating func append(_ motions: [DeviceMotion]) throws(FusionError) {
    if carried == nil {
      try write(motions)
    } else {
      for index in motions.indices { try write(motions[index]) }
    }
    if first.count < Self.shownCount { first += motions.prefix(Self.shownCount - first.count) }
    last = motions.last ?? last
  }

  /// Sets `chosen` to the values of the chosen columns.
  @inline(__always)
  private mutating func choose(_ motion: borrowing DeviceMotion) {
    row.set(motion)
    // Without a motion estimate, nothing is recognised.
    if !recognised.isEmpty, !motion.isUnknown { row.set(recognised: recognised) }
    for (position, index) in indices.enumerated() { chosen[position] = row.values[index] }
    if let timePlace { chosen[timePlace] = metadata.time(motion.time) }
  }

  /// Writes all rows in one call: passing on a single row takes as long as filling it.
  private mutating func write(_ motions: [DeviceMotion]) throws(FusionError) {
    guard !motions.isEmpty else { return }
    rows.removeAll(keepingCapacity: true)
    for index in motions.indices {
      choose(motions[index])
      rows += chosen
    }
    do throws(OutputError) {
      try writer.append(rows)
    } catch {
      throw FusionError(error)
    }
  }

  private mutating func write(_ motion: borrowing DeviceMotion) throws(FusionError) {
    choose(motion)
    if carried != nil {
      carried!.append(chosen, time: motion.time)
      if carried!.isFull { try giveOn() }
      return
    }
    do throws(OutputError) {
      try writer.append(chosen)
    } catch {
      throw FusionError(error)
    }
  }

  private mutating func giveOn() throws(FusionError) {
    let writer = writer
    try carried?.giveOn { (rows) throws(FusionError) in
      do throws(OutputError) {
        try writer.append(rows)
      } catch {
        throw FusionError(error)
      }
    }
  }

  /// Writes all complete rows, for live readers.
  mutating func flush() throws(FusionError) {
    try giveOn()
    do throws(OutputError) {
      try writer.flush()
    } catch {
      throw FusionError(error)
    }
  }

  /// Moves the files to their final names. All files are on disk before the first is renamed. The dataset is renamed
  /// last, so that its existence implies the existence of all other files.
  mutating func close() throws(FusionError) -> Result {
    try giveOn()
    let eventCount = try events?.finish(time: metadata.time)
    do throws(OutputError) {
      for sidecar in sidecars {
        try sidecar.write(metadata.json())
        try sidecar.prepare()
      }
      try writer.finish()
      try newNames.allOrNone { () throws(OutputError) in
        try events?.close()
        for sidecar in sidecars { try sidecar.commit() }
        try writer.close()
      }
    } catch {
      throw FusionError(error)
    }
    return Result(
      count: writer.rowCount, first: first, last: last, eventCount: eventCount, epoch: metadata.epoch)
  }

  /// The result of writing a dataset.
  struct Result {
    var count: Int
    var first: [DeviceMotion]
    var last: DeviceMotion?
    /// The number of events, or `nil` if no events were requested.
    var eventCount: Int?
    /// The UNIX time of the dataset's time 0, or `nil` if unknown.
    var epoch: Double?
  }
}
