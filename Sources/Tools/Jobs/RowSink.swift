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
  /// The indices in a row of the recognised values, and their indices among `FusedColumn.recognised`.
  private let recognisedPlaces: [(place: Int, index: Int)]
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
  /// The recognised values of the last row, in the order of `FusedColumn.recognised`; empty without recognisers.
  private(set) var recognised: [Double] = []

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
    recognisedPlaces = Self.recognisedPlaces(own)
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
    recognisedPlaces = Self.recognisedPlaces(own)
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
    recognisedPlaces = Self.recognisedPlaces(own)
    if channels.contains(where: { !$0.isEvent }) {
      carried = PendingRows(ownCount: indices.count, channels: channels)
    }
    timePlace = options.startsAtZero ? indices.firstIndex(of: 0) : nil
  }

  private static func recognisedPlaces(_ columns: [FusedColumn]) -> [(place: Int, index: Int)] {
    columns.enumerated().compactMap { place, column in
      column.recognition == nil ? nil : (place, column.index - FusedColumn.all.count)
    }
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
      case .hdf5: return try HDF5TableWriter(output: path, metadata: metadata, force: force)
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

  /// Appends a row.
  ///
  /// - Parameter recognised: The recognised values of the row, in the order of `FusedColumn.recognised`, or no values.
  mutating func append(_ motion: DeviceMotion, recognised: [Double] = []) throws(FusionError) {
    try append([motion], recognised: recognised)
  }

  /// Appends rows.
  ///
  /// - Parameter recognised: The recognised values of each row, in the order of `FusedColumn.recognised`, or no values.
  mutating func append(_ motions: [DeviceMotion], recognised: [Double] = []) throws(FusionError) {
    guard let newest = motions.last else { return }
    fillRows(motions, recognised)
    if carried == nil {
      // All rows in one call: passing on a single row takes as long as filling it.
      do throws(OutputError) {
        try writer.append(rows)
      } catch {
        throw FusionError(error)
      }
    } else {
      for index in motions.indices {
        carried!.append(rows[(index * indices.count)..<((index + 1) * indices.count)], time: motions[index].time)
        if carried!.isFull { try giveOn() }
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
    rows.withUnsafeMutableBufferPointer { rows in
      for position in motions.indices {
        row.set(motions[position])
        let start = position * width
        for (place, index) in indices.enumerated() { rows[start + place] = row.values[index] }
        if let timePlace { rows[start + timePlace] = metadata.time(motions[position].time) }
        // Without a motion estimate, nothing is recognised.
        guard recognisedCount > 0, !motions[position].isUnknown else { continue }
        for (place, index) in recognisedPlaces { rows[start + place] = recognised[position * recognisedCount + index] }
      }
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
