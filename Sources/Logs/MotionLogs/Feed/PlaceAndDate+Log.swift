package import InertialNumerics
internal import InertialSensors

extension PlaceAndDate {
  /// Creates the location and date from the first position in a log in memory.
  package init(of log: LoadedLog) {
    self.init(epoch: log.summary.description.epoch, start: log.samples.first?.time, samples: log.auxiliary)
  }

  /// Reads a log up to its first position, or up to its first sample if no position is wanted or the log has no
  /// positions.
  ///
  /// - Throws: ``LogError`` if the log cannot be read.
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

  /// Returns the place and date with unspecified values from a log; those of a log that cannot be read stay unspecified.
  package func completed(byLog path: String, options: LogOptions) -> PlaceAndDate {
    guard place == nil || year == nil,
      let log = try? PlaceAndDate(ofLog: path, options: options, wantsPlace: place == nil)
    else { return self }
    return PlaceAndDate(place: place ?? log.place, year: year ?? log.year)
  }

  /// - Parameters:
  ///   - epoch: The UNIX time of the log's time 0, in seconds, or `nil` if unknown. It is 0 for a log in UNIX time.
  ///   - start: A time in the log, in seconds, for a log without a position, or `nil` if unknown.
  ///   - samples: Valid samples of any channel. The first location with a position is used.
  private init(epoch: Double?, start: Double?, samples: [AuxiliarySample]) {
    let first = samples.first { $0.isPlace }
    let place = first.map { sample in
      let height = sample["ellipsoidalAltitude"]
      return Place(
        latitude: sample["latitude"], longitude: sample["longitude"], altitude: height.isFinite ? height : 0)
    }
    guard let epoch, let time = first?.time ?? start else {
      self.init(place: place)
      return
    }
    self.init(place: place, year: DecimalYear.of(unixTime: epoch + time))
  }
}

extension AuxiliarySample {
  /// Whether the sample has a position. Loggers write 0, 0 without a position fix.
  fileprivate var isPlace: Bool {
    guard channel == .location else { return false }
    let (latitude, longitude) = (self["latitude"], self["longitude"])
    return latitude.isFinite && longitude.isFinite && (latitude != 0 || longitude != 0)
  }
}
