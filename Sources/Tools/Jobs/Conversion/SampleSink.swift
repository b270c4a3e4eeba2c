internal import InertialLogs
internal import InertialSensors

/// Writes samples, sorted by time, as rows of one table, with NaN for channels without a sample. `close` completes the
/// output, which otherwise does not appear.
struct SampleSink {
  let metadata: DatasetMetadata
  let table: any TableWriter
  var rows: SampleRows
  /// The file of the metadata, or `nil` for none.
  var sidecar: AtomicFile?

  mutating func append(_ samples: [SensorSample]) throws(FusionError) {
    let table = table
    do throws(OutputError) {
      for var sample in samples {
        sample.time = metadata.time(sample.time)
        try rows.add(sample) { (row) throws(OutputError) in try table.append(row) }
      }
    } catch {
      throw FusionError(error)
    }
  }

  /// Moves the output to its final name, and returns remarks about the output.
  mutating func close() throws(FusionError) -> [String] {
    let table = table
    do throws(OutputError) {
      try rows.finish { (row) throws(OutputError) in try table.append(row) }
      try sidecar?.write(metadata.json())
      try sidecar?.prepare()
      try table.finish()
      try OutputFiles.renameAllOrNone([sidecar?.path ?? "-"]) { () throws(OutputError) in
        try sidecar?.commit()
        try table.close()
      }
    } catch {
      throw FusionError(error)
    }
    return (table as? EuRoCSampleTable)?.remarks ?? []
  }
}
