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
  private var row: FusedRow
  private var chosen: [Double]
  private var first: [DeviceMotion] = []
  private var last: DeviceMotion?

  init(
    output: String, input: String, log: LogDescription, options: FusionOptions, isOverlapped: Bool = true
  ) throws(FusionError) {
    switch options.format ?? DatasetFormat(path: output) {
    case .csv: writer = try Self.csv(output: output, options: options, isOverlapped: isOverlapped)
    case .hdf5: writer = try HDF5RowTable(output: output, input: input, log: log, options: options)
    }
    indices = options.columns.map(\.index)
    row = FusedRow(columns: options.columns)
    chosen = Array(repeating: .nan, count: indices.count)
  }

  private static func csv(
    output: String, options: FusionOptions, isOverlapped: Bool
  ) throws(FusionError) -> NumberTableWriter {
    do throws(OutputError) {
      return try NumberTableWriter(
        path: output, columns: options.columns.map(\.name), digits: options.digits,
        // A time is a place in the log: rounded, it could be another sample's.
        exactColumns: Set(options.columns.indices.filter { options.columns[$0].name == "time" }),
        force: options.force, isOverlapped: isOverlapped)
    } catch {
      throw FusionError(error)
    }
  }

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
    do throws(OutputError) {
      try writer.append(chosen)
    } catch {
      throw FusionError(error)
    }
  }

  /// Puts the file in its place.
  func close() throws(FusionError) -> (count: Int, first: [DeviceMotion], last: DeviceMotion?) {
    do throws(OutputError) {
      try writer.close()
    } catch {
      throw FusionError(error)
    }
    return (writer.rowCount, first, last)
  }
}
