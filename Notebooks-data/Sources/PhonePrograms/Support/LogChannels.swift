import CoreMotionCompatibility

/// Passes the log's channels for frameworks other than Core Motion to a collector.
final class LogChannels: SensorReceiver {
  private let collector: SensorCollector

  init(_ collector: SensorCollector) { self.collector = collector }

  func receive(_ event: SensorEvent) {
    guard case .auxiliary(let samples) = event else { return }
    for sample in samples { if let kind = Self.kinds[sample.channel] { collector.count(kind) } }
  }

  static let kinds: [AuxiliaryChannel: Kind] = [
    .location: .location, .compass: .compass, .proximity: .proximity, .light: .light, .microphone: .soundLevel,
    .battery: .battery,
  ]

  /// Returns the kinds for which a source has data.
  static func kinds(of source: RecordingSource) -> Set<Kind> {
    var result = Set(source.auxiliaryChannels.compactMap { kinds[$0] })
    if source.auxiliaryChannels.contains(.barometer) { result.insert(.altimeter) }
    if source.auxiliaryChannels.contains(.absoluteAltitude) { result.insert(.absoluteAltitude) }
    if source.channels.contains(.accelerometer) { result.formUnion([.accelerometer, .activity]) }
    if source.channels.contains(.gyroscope) { result.insert(.gyroscope) }
    if source.channels.contains(.magnetometer) { result.insert(.magnetometer) }
    if source.channels.isSuperset(of: [.accelerometer, .gyroscope]) {
      result.formUnion([.deviceMotion, .attitude, .headphones])
    }
    return result
  }
}
