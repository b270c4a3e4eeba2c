import Testing

@Suite struct AuxiliaryChannelTests {
  @Test("every field has a unique name, a unit and a range, and every channel is found by its name")
  func facts() {
    var names: Set<String> = []
    for channel in AuxiliaryChannel.allCases {
      #expect(AuxiliaryChannel(name: channel.name) == channel)
      #expect(!channel.meaning.isEmpty && (!channel.fields.isEmpty || !channel.textFields.isEmpty))
      for field in channel.fields {
        #expect(names.insert(field.name).inserted, "\(field.name)")
        #expect(!field.unit.isEmpty && !field.meaning.isEmpty)
      }
      for text in channel.textFields where text != channel.name { #expect(names.insert(text).inserted, "\(text)") }
      #expect(channel.isEvent || names.insert(channel.ageName).inserted)
      // A channel has a single age: either all of its fields use the nearest sample, or none does.
      let nearest = channel.fields.count { $0.carriage == .nearest }
      #expect(nearest == 0 || nearest == channel.fields.count)
      // Channels that look ahead specify the maximum distance.
      let looksAhead = channel.fields.contains { $0.carriage != .previous }
      #expect(looksAhead == (channel.maximumInterpolationInterval > 0), "\(channel.name)")
    }
    #expect(AuxiliaryChannel(name: "none") == nil)
  }

  @Test("a new sample has no values, and its values are accessed by name")
  func sample() {
    var sample = AuxiliarySample(time: 2, channel: .barometer)
    #expect(sample.isEmpty && sample["pressure"].isNaN)
    sample["pressure"] = 101.3
    #expect(!sample.isEmpty && sample.values[1] == 101.3 && sample.values[0].isNaN)
    var other = AuxiliarySample(time: 2, channel: .barometer)
    #expect(sample != other)
    other.set(1, 101.3)
    #expect(sample == other && sample.hashValue == other.hashValue)
    var mark = AuxiliarySample(time: 0, channel: .annotation)
    mark[text: "annotation"] = "gate"
    #expect(!mark.isEmpty && mark.texts == ["gate"])
  }

  @Test(
    "an activity's word sets Core Motion's flags, and unrecognised words are unknown",
    arguments: [
      ("walking", "activityWalking"), ("STATIONARY", "activityStationary"), ("in_vehicle", "activityAutomotive"),
      ("cycling", "activityCycling"), ("tilting", "activityUnknown"), ("unknown", "activityUnknown"),
    ])
  func activity(word: String, field: String) {
    var sample = AuxiliarySample(time: 0, channel: .activity)
    sample.setActivity(word)
    #expect(sample[field] == 1 && sample.values.prefix(6).reduce(0, +) == 1)
    #expect(sample["activityConfidence"].isNaN && sample[text: "activity"] == word)
  }

  @Test("a motion sensor's sample keeps its numbers in the channel that repeats it")
  func repeated() {
    let field = SensorSample(time: 1, channel: .calibratedMagneticField, x: 1, y: 2, z: 3, w: 2)
    let sample = AuxiliarySample(field, as: .calibratedMagneticField)
    #expect(sample.values == [1, 2, 3, 2] && sample.time == 1)
    for channel in AuxiliaryChannel.allCases {
      #expect(AuxiliaryChannel.ofLogs.contains(channel) == (channel.motion == nil))
    }
  }
}

/// A conditioner that can be queried within an expectation; the cleared sample is `cleared`.
private final class Conditioner {
  private var conditioner = AuxiliaryConditioner()
  private(set) var cleared = AuxiliarySample(time: 0, channel: .location)

  func judge(_ sample: AuxiliarySample, earliest: Double = -.infinity) -> Bool {
    cleared = sample
    return conditioner.judge(&cleared, earliest: earliest)
  }

  var reports: [AuxiliaryChannel: AuxiliaryReport] { conditioner.reports }
}

@Suite struct AuxiliaryConditionerTests {
  private func location(_ time: Double, _ change: (inout AuxiliarySample) -> Void = { _ in }) -> AuxiliarySample {
    var sample = AuxiliarySample(time: time, channel: .location)
    (sample["latitude"], sample["longitude"], sample["speed"]) = (47, 8, 1.5)
    change(&sample)
    return sample
  }

  @Test("a value that Core Location marks as unknown is missing, and an impossible value is counted")
  func values() throws {
    let conditioner = Conditioner()
    #expect(conditioner.judge(location(0) { ($0["speed"], $0["course"], $0["horizontalAccuracy"]) = (-1, -1, 5) }))
    var cleared = conditioner.cleared
    #expect(cleared["speed"].isNaN && cleared["course"].isNaN && cleared["latitude"] == 47)
    #expect(conditioner.judge(location(1) { ($0["horizontalAccuracy"], $0["speedAccuracy"]) = (-1, 0.5) }))
    cleared = conditioner.cleared
    #expect(cleared["latitude"].isNaN && cleared["longitude"].isNaN && cleared["speed"] == 1.5)
    #expect(conditioner.judge(location(2) { ($0["latitude"], $0["speed"]) = (91, .infinity) }))
    cleared = conditioner.cleared
    #expect(cleared["latitude"].isNaN && cleared["speed"].isNaN && cleared["longitude"] == 8)
    let report = try #require(conditioner.reports[.location])
    #expect(report.impossibleValues == 2 && report.count == 3 && report.used == 3)
    #expect(report.fields[0].count == 1 && report.fields[0].smallest == 47 && report.fields[0].largest == 47)
    #expect(conditioner.reports[.barometer] == nil)
  }

  @Test("a sample without a time or value, or a repeated one, is dropped and counted; an event is never empty")
  func dropped() throws {
    let conditioner = Conditioner()
    let samples = [
      location(0), location(0), location(.nan), AuxiliarySample(time: 1, channel: .location), location(3), location(2),
    ]
    #expect(samples.map { conditioner.judge($0) } == [true, false, false, false, true, true])
    #expect(conditioner.judge(AuxiliarySample(time: 1, channel: .deviceShake)))
    let report = try #require(conditioner.reports[.location])
    #expect(report.collapsed == 1 && report.invalid == 1 && report.missing == 1 && report.outOfOrder == 1)
    #expect(report.used == 3 && report.firstTime == 0 && report.lastTime == 3 && report.maximumInterval == 3)
    #expect(abs(report.meanRate - 2.0 / 3) < 1e-15)
  }

  @Test("a sample earlier than the processed time is late")
  func late() {
    let conditioner = Conditioner()
    #expect(!conditioner.judge(location(4), earliest: 5) && conditioner.judge(location(5), earliest: 5))
    #expect(conditioner.reports[.location]?.late == 1 && conditioner.reports[.location]?.firstTime == 5)
  }
}
