internal import FoundationEssentials
internal import InertialLive
internal import InertialLogs

/// A stream of rows between two of its rows: how it was begun, and all that depends on the rows since.
private struct SavedStream: Codable {
  var version: String
  /// The options as a JSON object, and the names of the numbers in a row.
  var options: String
  var names: [String]
  var rows: StreamedRows.State
  var processor: StreamProcessor.State
  var stage: FusionStage.State
  /// The output rows that were not taken, and the number of all output rows.
  var untaken: [Double]
  var rowCount: Int
}

extension FusionStream {
  /// Returns the stream's state as a JSON document, with which `init(state:)` continues with the same rows.
  ///
  /// - Throws: ``FusionError`` if the stream is finished or has samples as its input.
  package func state() throws(FusionError) -> String {
    guard !isFinished else { throw .usage("the stream is finished and has no state") }
    guard let request, let rows else { throw .usage("only the state of a stream of rows can be saved") }
    let saved = SavedStream(
      version: ToolVersion.current, options: request.options, names: request.names, rows: rows.state,
      processor: processor.state, stage: try stage.state(), untaken: queue.untaken, rowCount: queue.rowCount)
    do { return String(decoding: try FusionManifest.encoder.encode(saved), as: UTF8.self) } catch {
      throw .badData("the state of the stream cannot be saved: \(error)")
    }
  }

  /// Creates a stream that continues from a state.
  ///
  /// - Parameter state: The document of `state()`, from a stream that is trusted: its numbers are not checked.
  /// - Throws: ``FusionError`` if the text is no state, or that of another version.
  package init(state: String) throws(FusionError) {
    struct Version: Decodable { var version: String }
    let bytes = Data(state.utf8)
    guard let version = (try? FusionManifest.decoder.decode(Version.self, from: bytes))?.version else {
      throw .usage("the text is not the state of a stream")
    }
    guard version == ToolVersion.current else {
      throw .usage("the state is of version \(version), and this is version \(ToolVersion.current)")
    }
    let saved: SavedStream
    do { saved = try FusionManifest.decoder.decode(SavedStream.self, from: bytes) } catch {
      throw .usage("the state of the stream is damaged")
    }
    try self.init(saved.options, names: saved.names)
    do throws(LogError) { try rows?.restore(saved.rows) } catch { throw FusionError(error) }
    processor.state = saved.processor
    try stage.restore(saved.stage)
    queue.restore(saved.untaken, rowCount: saved.rowCount)
  }
}
