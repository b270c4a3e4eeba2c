internal import Geomagnetism
internal import MotionLogs
internal import Sensors

/// A log in memory: its good samples in order of time, the same that a batch run works on.
struct LoadedLog {
  var samples: [SensorSample] = []
  var auxiliary: [AuxiliarySample] = []
  /// UNIX time in seconds of time 0.
  var epoch: Double?
  /// Where and when it was recorded, as far as the log tells.
  var whereabouts = PlaceAndDate()

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
    whereabouts = PlaceAndDate(epoch: epoch, start: samples.first?.time, samples: auxiliary)
  }
}
