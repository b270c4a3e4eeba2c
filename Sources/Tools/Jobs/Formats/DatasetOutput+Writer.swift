internal import InertialFusion
internal import InertialLogs
internal import InertialRotations

extension DatasetOutput {
  /// Returns the writer of this output.
  func writer(
    _ metadata: DatasetMetadata, _ options: FusionOptions, isOverlapped: Bool
  ) throws(FusionError) -> any TableWriter {
    let force = options.force
    guard path != "-" || format.isStreamable else {
      throw .usage("\(format.rawValue) cannot be written to standard output; give a path with -o, or --format csv")
    }
    // All digits are what the other formats store.
    guard format.isText || [FusionOptions.defaultDigits, 17].contains(options.digits) else {
      throw .usage("--digits applies to text, but \(format.rawValue) stores full precision; omit it")
    }
    guard format != .bids || metadata.columns.contains(where: { $0.name == "time" }) else {
      throw .usage("bids needs the column time, which becomes its LATENCY channel; add it to --columns-out")
    }
    do throws(OutputError) {
      switch format {
      case .csv:
        return try NumberTableWriter(
          path: path, columns: metadata.columnNames(withUnits: options.writesUnits), digits: options.digits,
          exactColumns: metadata.exactColumns, force: force, isOverlapped: isOverlapped)
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
        return try TrajectoryTableWriter(
          output: path, metadata: metadata, options: options, force: force, isOverlapped: isOverlapped)
      case .euroc: return try TrajectoryTableWriter(output: path, metadata: metadata, options: options, force: force)
      case .bids:
        return try BIDSTableWriter(
          output: path, isRaw: false, metadata: metadata, entities: options.bids, about: options.about,
          frame: options.motion.frame.name, nominalRate: options.rate, digits: options.digits, force: force,
          isOverlapped: isOverlapped)
      }
    } catch {
      throw FusionError(error)
    }
  }
}

extension [DatasetOutput] {
  /// Returns the writer of all outputs, each with its own columns.
  ///
  /// - Parameter names: The names of the columns of a row.
  /// - Throws: ``FusionError`` if a column of an output is missing, or an output cannot be written.
  func writer(
    of names: [String], _ metadata: DatasetMetadata, _ options: FusionOptions, isOverlapped: Bool
  ) throws(FusionError) -> any TableWriter {
    var branches: [(writer: any TableWriter, columns: [Int]?)] = []
    for output in self {
      let wanted = output.format.neededColumns(options) ?? metadata.columns.map(\.name)
      if let lacking = wanted.first(where: { !names.contains($0) }) {
        throw .usage(
          "\(output.format.rawValue) needs the column '\(lacking)', which is missing; add it to the fused columns")
      }
      let writer = try output.writer(metadata, options, isOverlapped: isOverlapped)
      branches.append((writer, wanted == names ? nil : wanted.compactMap(names.firstIndex)))
    }
    return branches.count == 1 && branches[0].columns == nil
      ? branches[0].writer : FanOutTableWriter(columnCount: names.count, branches: branches)
  }
}
