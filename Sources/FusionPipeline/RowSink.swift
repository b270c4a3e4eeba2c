internal import MotionLogs
internal import Sensors

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
  private var row: FusedRow
  private var chosen: [Double]
  private var first: [DeviceMotion] = []
  private var last: DeviceMotion?
  /// Number of the stretch between gaps that rows are of, from 1.
  var segment = 1 {
    didSet { row.segment = Double(segment) }
  }

  init(
    output: String, input: String, log: LogDescription, options: FusionOptions, isOverlapped: Bool = true
  ) throws(FusionError) {
    switch options.format ?? DatasetFormat(path: output) {
    case .csv:
      writer = try Self.csv(
        output: output, columns: options.columns(of: log), options: options, isOverlapped: isOverlapped)
    case .hdf5: writer = try HDF5RowTable(output: output, input: input, log: log, options: options)
    }
    indices = options.motionColumns.map(\.index)
    row = FusedRow(columns: options.motionColumns)
    chosen = Array(repeating: .nan, count: indices.count)
    let channels = options.channels(of: log)
    if channels.contains(where: { !$0.isEvent }) {
      carried = CarriedRows(ownCount: indices.count, channels: channels)
    }
    // Where there is no file for them to lie beside, events are told of and left out.
    if output != "-" { events = try EventSink(output: output, channels: channels, force: options.force) }
  }

  private static func csv(
    output: String, columns: [FusedColumn], options: FusionOptions, isOverlapped: Bool
  ) throws(FusionError) -> NumberTableWriter {
    do throws(OutputError) {
      return try NumberTableWriter(
        path: output, columns: columns.map(\.name), digits: options.digits,
        // A time is a place in the log, and so is one of latitude and longitude: rounded, it could be another.
        exactColumns: Set(columns.indices.filter { Self.exact.contains(columns[$0].name) }),
        force: options.force, isOverlapped: isOverlapped)
    } catch {
      throw FusionError(error)
    }
  }

  private static let exact: Set<String> = ["time", "latitude", "longitude"]

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
    for index in motions.indices { try write(motions[index]) }
    if first.count < Self.shownCount { first += motions.prefix(Self.shownCount - first.count) }
    last = motions.last ?? last
  }

  @inline(__always)
  private mutating func write(_ motion: borrowing DeviceMotion) throws(FusionError) {
    row.set(motion)
    for (place, index) in indices.enumerated() { chosen[place] = row.values[index] }
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

  /// Puts the files in their places: the events first, so that where the dataset is there, all is.
  mutating func close() throws(FusionError) -> Result {
    try giveOn()
    let eventCount = try events?.close()
    do throws(OutputError) {
      try writer.close()
    } catch {
      throw FusionError(error)
    }
    return Result(count: writer.rowCount, first: first, last: last, eventCount: eventCount)
  }

  /// What was written.
  struct Result {
    var count: Int
    var first: [DeviceMotion]
    var last: DeviceMotion?
    /// nil where no events were wanted.
    var eventCount: Int?
  }
}
