internal import InertialFusion
internal import InertialLogs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// Writes device motions as rows of the chosen columns.
///
/// A sink that is dropped without `close` leaves no file.
struct RowSink {
  /// How many rows are kept to be shown to the user.
  private static let shownCount = 3

  private let writer: any TableWriter
  private let indices: [Int]
  /// nil where nothing is carried to the rows.
  private var carried: CarriedRows?
  /// nil where no events are wanted.
  private var events: EventSink?
  /// Files of facts for those that have no place for them, with the facts.
  private var sidecars: [AtomicFile] = []
  /// The names that the files take, events and facts first.
  private var newNames = NewNames([])
  private let metadata: DatasetMetadata
  /// Where the time is in a row that is written; nil where nothing is to be taken off it.
  private var timePlace: Int?
  private var row: FusedRow
  private var chosen: [Double]
  /// Rows on their way to the writer.
  private var rows: [Double] = []
  private var first: [DeviceMotion] = []
  private var last: DeviceMotion?
  /// The last row that an earlier process has left in a file that grows; nil where there is none.
  private(set) var lastLine: String?
  /// Number of the stretch between gaps that rows are of, from 1.
  var segment = 1 {
    didSet { row.segment = Double(segment) }
  }
  /// What is recognised at the rows that follow, by the places of `FusedColumn.recognised`; empty where nothing is.
  var recognised: [Double] = []

  /// Rows of a stream that somebody waits for: on standard output, in a pipe, or in a file that grows.
  ///
  /// - Parameter goesOn: whether rows are appended to a file that is there.
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
    if !channels.isEmpty { carried = CarriedRows(ownCount: indices.count, channels: channels) }
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
      carried = CarriedRows(ownCount: indices.count, channels: channels)
    }
    // Where there is no file for them to lie beside, events are told of and left out.
    if outputs[0].path != "-" {
      events = try EventSink(output: outputs[0].path, channels: channels, force: options.force)
    }
    timePlace = options.startsAtZero ? indices.firstIndex(of: 0) : nil
    if options.writesMetadata { try addSidecars(outputs, force: options.force) }
    newNames = NewNames(
      (events == nil ? [] : [EventSink.path(for: outputs[0].path)])
        + (options.writesMetadata ? outputs.compactMap(\.metadataPath) : []) + outputs.map(\.path))
  }

  /// Rows for a table that is no file: there is none beside it either, so events are the caller's.
  ///
  /// - Parameter needsFacts: whether `facts` will be asked for, for which the whole input is read once more.
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
      carried = CarriedRows(ownCount: indices.count, channels: channels)
    }
    timePlace = options.startsAtZero ? indices.firstIndex(of: 0) : nil
  }

  /// The log's time that is 0 in the rows; nil where they have the log's own times.
  var timeOrigin: Double? { metadata.timeOrigin }

  /// What a dataset would say of itself, as JSON; waits for the checksum of the input.
  var facts: String { metadata.json() }

  /// The columns that are asked for, and those that a format with columns of its own needs beside them.
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
      throw .usage("--digits is for text: \(output.format.rawValue) keeps every number as it is; leave it out")
    }
    do throws(OutputError) {
      switch output.format {
      case .csv:
        let columns = metadata.columns
        return try NumberTableWriter(
          path: path, columns: metadata.columnNames(withUnits: options.writesUnits), digits: options.digits,
          // A time is a place in the log, and so is one of latitude and longitude: rounded, it could be another.
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

  /// Takes samples of other channels: all up to a time before the motions of later times.
  mutating func add(_ samples: [AuxiliarySample]) {
    for sample in samples {
      if sample.channel.isEvent { events?.add(sample) } else { carried?.add(sample) }
    }
  }

  /// No more samples of other channels will come.
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

  /// Puts the numbers of the chosen columns into `chosen`.
  @inline(__always)
  private mutating func choose(_ motion: borrowing DeviceMotion) {
    row.set(motion)
    // Where nothing is known of the motion, nothing is of what it would show.
    if !recognised.isEmpty, !motion.isUnknown { row.set(recognised: recognised) }
    for (place, index) in indices.enumerated() { chosen[place] = row.values[index] }
    if let timePlace { chosen[timePlace] = metadata.time(motion.time) }
  }

  /// All rows at once: to hand on one alone takes as long as to fill it.
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

  /// Writes the rows that are known, for those who wait for them.
  mutating func flush() throws(FusionError) {
    try giveOn()
    do throws(OutputError) {
      try writer.flush()
    } catch {
      throw FusionError(error)
    }
  }

  /// Puts the files in their places: all are on the disk before the first has its name, and the dataset is the last, so that
  /// where it is there, all is.
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

  /// What was written.
  struct Result {
    var count: Int
    var first: [DeviceMotion]
    var last: DeviceMotion?
    /// nil where no events were wanted.
    var eventCount: Int?
    /// UNIX time of the dataset's time 0, where that is known.
    var epoch: Double?
  }
}
