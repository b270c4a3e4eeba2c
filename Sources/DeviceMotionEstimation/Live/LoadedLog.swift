internal import Geomagnetism
internal import MotionLogs
internal import Sensors

/// A log in memory: its good samples in order of time, the same that a batch run works on.
struct LoadedLog {
  var samples: [SensorSample] = []
  var auxiliary: [AuxiliarySample] = []
  /// UNIX time in seconds of time 0.
  var epoch: Double?
  /// Radians, at the first place that the log tells; nil where it tells neither place nor date.
  var declination: Double?

  init(path: String, options: LogOptions) throws(LogError) {
    var options = options
    if options.auxiliary.isEmpty { options.auxiliary = AuxiliaryChannel.ofLogs }
    var reader = try openLog(path: path, options: options)
    // Infinite: the log is sorted as a whole.
    var conditioner = SampleConditioner(horizon: .infinity)
    var judge = AuxiliaryConditioner()
    var batch: [SensorSample] = []
    var others: [AuxiliarySample] = []
    var isMore = true
    while isMore {
      batch.removeAll(keepingCapacity: true)
      others.removeAll(keepingCapacity: true)
      isMore = try reader.read(into: &batch)
      reader.takeAuxiliary(into: &others)
      for axes in options.axes { axes.apply(to: &batch) }
      _ = conditioner.append(batch, handingOnTo: &samples)
      for var sample in others where judge.judge(&sample) { auxiliary.append(sample) }
    }
    conditioner.finish()
    conditioner.handOn(to: &samples, atMost: .max)
    epoch = reader.description.epoch
    declination = findDeclination()
  }

  private func findDeclination() -> Double? {
    let first = auxiliary.first {
      $0.channel == .location && $0["latitude"].isFinite && $0["longitude"].isFinite
    }
    guard let epoch, let first else { return nil }
    let height = first["ellipsoidalAltitude"]
    do throws(GeomagnetismError) {
      let elements = try MagneticModel.elements(
        latitude: first["latitude"], longitude: first["longitude"], height: height.isFinite ? height : 0,
        decimalYear: DecimalYear.of(unixTime: epoch + first.time))
      return elements.declination * .pi / 180
    } catch {
      // A date or place without a model: the declination is not known.
      return nil
    }
  }
}
