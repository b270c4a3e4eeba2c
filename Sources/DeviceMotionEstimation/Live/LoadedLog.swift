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
    var study = ClockStudy()
    // All of it, in the order of the file: what is done about the clock is known at its end.
    var batches: [[SensorSample]] = []
    var others: [[AuxiliarySample]] = []
    var isMore = true
    while isMore {
      var batch: [SensorSample] = []
      var other: [AuxiliarySample] = []
      isMore = try reader.read(into: &batch)
      reader.takeAuxiliary(into: &other)
      study.look(at: batch)
      batches.append(batch)
      others.append(other)
    }
    var repair = study.repair()
    for index in batches.indices {
      repair?.apply(to: &batches[index])
      repair?.apply(to: &others[index])
      for axes in options.axes { axes.apply(to: &batches[index]) }
      _ = conditioner.append(batches[index], handingOnTo: &samples)
      batches[index] = []
      for var sample in others[index] where judge.judge(&sample) { auxiliary.append(sample) }
    }
    conditioner.finish()
    conditioner.handOn(to: &samples, atMost: .max)
    epoch = reader.description.epoch
    whereabouts = PlaceAndDate(epoch: epoch, start: samples.first?.time, samples: auxiliary)
  }
}
