package import InertialNumerics
internal import InertialSensors

extension PlaceAndDate {
  /// What a log in memory tells: its first place, and the date there.
  package init(of log: LoadedLog) {
    self.init(epoch: log.summary.description.epoch, start: log.samples.first?.time, samples: log.auxiliary)
  }

  /// Reads a log up to its first place, and no further than its first sample where that is not wanted or there is none.
  ///
  /// - Throws: where the log cannot be read.
  package init(ofLog path: String, options: LogOptions = LogOptions(), wantsPlace: Bool = true) throws(LogError) {
    var feed = LogFeed(path: path, options: options)
    feed.options.auxiliary = wantsPlace ? [.location] : []
    var reader = try feed.open()
    let epoch = reader.description.epoch
    let hasPlaces = reader.description.auxiliaryChannels.contains(.location)
    var judge = AuxiliaryConditioner()
    var batch: [SensorSample] = []
    var others: [AuxiliarySample] = []
    var start: Double?
    var isMore = true
    while isMore, hasPlaces || start == nil {
      batch.removeAll(keepingCapacity: true)
      others.removeAll(keepingCapacity: true)
      isMore = try reader.read(into: &batch)
      reader.takeAuxiliary(into: &others)
      start = start ?? batch.first { $0.time.isFinite }?.time
      let good = others.indices.filter { judge.judge(&others[$0]) }.map { others[$0] }
      guard !good.contains(where: \.isPlace) else {
        self.init(epoch: epoch, start: start, samples: good)
        return
      }
    }
    self.init(epoch: epoch, start: start, samples: [])
  }

  /// - Parameters:
  ///   - epoch: UNIX time in seconds of time 0 of the log; nil where it is not known. A log in UNIX time has 0.
  ///   - start: a time of the log, seconds, for one without a place; nil where none is known.
  ///   - samples: of any channel, judged; the first of a location with a place counts.
  private init(epoch: Double?, start: Double?, samples: [AuxiliarySample]) {
    let first = samples.first { $0.isPlace }
    let place = first.map { sample in
      let height = sample["ellipsoidalAltitude"]
      return Place(
        latitude: sample["latitude"], longitude: sample["longitude"], altitude: height.isFinite ? height : 0)
    }
    self.init(place: place, epoch: epoch, time: first?.time ?? start)
  }

  /// - Parameters:
  ///   - epoch: as above.
  ///   - time: of the log, at which the date is asked for.
  private init(place: Place?, epoch: Double?, time: Double?) {
    guard let epoch, let time else {
      self.init(place: place)
      return
    }
    self.init(place: place, year: DecimalYear.of(unixTime: epoch + time))
  }
}

extension AuxiliarySample {
  /// Whether it says where the device was. Loggers write 0, 0 where they have no fix.
  fileprivate var isPlace: Bool {
    guard channel == .location else { return false }
    let (latitude, longitude) = (self["latitude"], self["longitude"])
    return latitude.isFinite && longitude.isFinite && (latitude != 0 || longitude != 0)
  }
}
