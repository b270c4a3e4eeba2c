internal import InertialLogs
internal import InertialSensors

extension FusedColumn {
  /// Returns the columns of carried channels: for each channel its fields and their age. Their values follow those of
  /// `all` and `recognised`.
  static func carried(_ channels: [AuxiliaryChannel]) -> [FusedColumn] {
    var columns: [FusedColumn] = []
    func add(_ name: String, _ unit: String, _ meaning: String) {
      let index = all.count + recognised.count + columns.count
      columns.append(FusedColumn(name: name, unit: unit, meaning: meaning, index: index))
    }
    for channel in channels where !channel.isEvent {
      for field in channel.fields {
        let value =
          switch field.carriage {
          case .previous: "last value"
          case .nearest: "nearest value"
          case .interpolated, .interpolatedAngle: "interpolated"
          }
        add(field.name, field.unit, "\(field.meaning); \(value)")
      }
      add(channel.ageName, "s", "time since the sample of \(channel.name) that the values are from")
    }
    return columns
  }
}
