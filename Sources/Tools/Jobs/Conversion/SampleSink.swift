internal import InertialLogs
internal import InertialSensors

/// Writes samples, sorted by time, to one writer, as rows with NaN for channels without a sample. `close` completes the
/// output, which otherwise does not appear.
struct SampleSink {
  let metadata: DatasetMetadata
  let writer: any TableWriter
  var rows: SampleRows
  /// The file of the metadata, or `nil` for none.
  var sidecar: AtomicFile?

  mutating func append(_ samples: [SensorSample]) throws(FusionError) {
    let writer = writer
    do throws(OutputError) {
      for var sample in samples {
        sample.time = metadata.time(sample.time)
        try rows.add(sample) { (row) throws(OutputError) in try writer.append(row) }
      }
    } catch {
      throw FusionError(error)
    }
  }

  /// Moves the output to its final name, and returns remarks about the output.
  mutating func close() throws(FusionError) -> [String] {
    let writer = writer
    do throws(OutputError) {
      try rows.finish { (row) throws(OutputError) in try writer.append(row) }
    } catch {
      throw FusionError(error)
    }
    let sidecars = [sidecar].compactMap(\.self)
    try OutputFiles.complete(writer, metadata, sidecars: sidecars, paths: sidecars.map(\.path) + ["-"])
    return (writer as? EuRoCSampleTableWriter)?.remarks ?? []
  }
}
