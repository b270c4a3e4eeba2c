package import InertialSensors

extension BarometerSample {
  /// Creates a barometer sample, or returns `nil` for a sample of another channel.
  package init?(_ sample: AuxiliarySample) {
    guard sample.channel == .barometer else { return nil }
    func known(_ name: String) -> Double? { sample[name].isFinite ? sample[name] : nil }
    self.init(time: sample.time, pressure: known("pressure"), relativeAltitude: known("relativeAltitude"))
  }
}
