internal import InertialLogs
internal import InertialSensors

/// A sink that writes samples, sorted by time, to a file. `conclude` completes the file, which otherwise does not
/// appear.
protocol SampleSink: AnyObject {
  func append(_ sample: SensorSample) throws(OutputError)
  /// Moves the output to its final name, and returns remarks about the output.
  func close() throws(OutputError) -> [String]
}

extension SampleSink {
  func take(_ sample: SensorSample) throws(FusionError) {
    do throws(OutputError) { try append(sample) } catch { throw FusionError(error) }
  }

  func conclude() throws(FusionError) -> [String] {
    do throws(OutputError) { return try close() } catch { throw FusionError(error) }
  }
}

/// A sink that writes samples as rows of one table, with NaN for streams without a sample.
final class TableSampleSink: SampleSink {
  private var rows: SampleRows
  private let writer: any TableWriter
  private let sidecar: AtomicFile?
  private let metadata: DatasetMetadata?

  init(rows: SampleRows, writer: any TableWriter, sidecar: AtomicFile? = nil, metadata: DatasetMetadata? = nil) {
    (self.rows, self.writer, self.sidecar, self.metadata) = (rows, writer, sidecar, metadata)
  }

  func append(_ sample: SensorSample) throws(OutputError) {
    let writer = writer
    try rows.add(sample) { (row) throws(OutputError) in try writer.append(row) }
  }

  func close() throws(OutputError) -> [String] {
    let writer = writer
    try rows.finish { (row) throws(OutputError) in try writer.append(row) }
    if let sidecar, let metadata {
      try sidecar.write(metadata.json())
      try sidecar.prepare()
    }
    try writer.finish()
    try NewNames([sidecar?.path ?? "-"]).allOrNone { () throws(OutputError) in
      try sidecar?.commit()
      try writer.close()
    }
    return []
  }
}

/// A sink that writes arrays of an `.npz`: the values (`rotationRate`) and the times (`rotationRateTime`) of each
/// stream.
final class NPZSampleSink: SampleSink {
  private let writer: NPZWriter
  private let metadata: DatasetMetadata
  /// The array indices of each channel's values and times.
  private var places: [SensorChannel: (numbers: [Int], time: Int)] = [:]

  init(output: String, channels: [SensorChannel], metadata: DatasetMetadata, force: Bool) throws(OutputError) {
    var arrays: [NPZWriter.Layout] = []
    for channel in channels {
      let own = NPZTableWriter.arrays(of: channel.columnNames)
      let numbers = own.enumerated().flatMap { Array(repeating: arrays.count + $0, count: $1.width) }
      arrays += own + [.init(name: own[0].name + "Time")]
      places[channel] = (numbers, arrays.count - 1)
    }
    writer = try NPZWriter(path: output, arrays: arrays, force: force)
    self.metadata = metadata
  }

  func append(_ sample: SensorSample) throws(OutputError) {
    guard let (numbers, time) = places[sample.channel] else { return }
    let values = [sample.x, sample.y, sample.z, sample.w]
    for (component, array) in numbers.enumerated() { try writer.append(values[component], to: array) }
    try writer.append(sample.time, to: time)
  }

  func close() throws(OutputError) -> [String] {
    try writer.finish(texts: [("metadata", metadata.json())])
    try writer.commit()
    return []
  }
}
