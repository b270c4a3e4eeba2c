internal import InertialRotations
internal import InertialSensors

/// A file of a folder with the samples of one motion channel: the columns and their conversion.
struct ChannelFile: Sendable {
  var name: String
  var channel: SensorChannel
  /// The columns of x, y, z and w, as many as the channel has.
  var columns = ["x", "y", "z"]
  /// The column of timestamps, or `nil` if the times are not needed.
  var stamp: String? = "time"
  /// The names of all columns in place of the file's header, or `nil` if the first line has the names.
  var names: [String]?
  /// Whether the first line has names or, if `names` replaces them, is skipped. A file without a header may begin with a
  /// comment line.
  var hasHeader = true
  /// The factor to the channel's unit and sign. It is not applied to w.
  var scale = 1.0
  /// The frame of the file's attitudes. The samples' frame is north, west, up.
  var frame = EarthFrame.nwu
}

extension LogFolder {
  /// Opens the declared files that the folder has. A file without rows is left out with a note.
  func open(
    _ files: [ChannelFile], separator: FieldSeparator, notes: inout [String]
  ) throws(LogError) -> [TableSource] {
    var sources: [TableSource] = []
    for file in files {
      try requireFile(file.name)
      if hasEmpty(file.name) { notes.append("\(file.name) is empty") }
      guard has(file.name) else { continue }
      let source = try TableSource(file, path: path(of: file.name), separator: separator)
      if source.hasRows {
        sources.append(source)
      } else {
        notes.append("\(file.name) \(file.hasHeader ? "has no rows" : "is empty")")
      }
    }
    return sources
  }
}
