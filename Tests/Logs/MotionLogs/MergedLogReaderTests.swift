import InertialNumerics
import InertialSensors
import Testing

@testable import InertialLogs

/// Returns the given times in small batches.
private struct ListSource: SampleSource {
  var times: [Double]
  var channel: SensorChannel
  var batch = 3
  private var position = 0

  init(_ times: [Double], _ channel: SensorChannel) { (self.times, self.channel) = (times, channel) }

  var emptyCounts: [SensorChannel: Int] { [channel: 1] }
  var remarks: [String] { [] }
  var progress: Double { times.isEmpty ? 1 : Double(position) / Double(times.count) }

  mutating func read(into samples: inout [SensorSample]) throws(LogError) -> Bool {
    let end = min(position + batch, times.count)
    for index in position..<end { samples.append(SensorSample(time: times[index], channel: channel, x: Double(index))) }
    defer { position = end }
    return end > position
  }
}

@Suite struct MergedLogReaderTests {
  private static let description = LogDescription(format: "test", summary: "lists", path: "list")

  private func merge(_ sources: [ListSource]) throws(LogError) -> [SensorSample] {
    var merged = MergedLogReader(Self.description, sources)
    var samples: [SensorSample] = []
    while try merged.read(into: &samples) {}
    return samples
  }

  @Test("sorted streams are merged completely by time, at equal times in the order of the channels")
  func sorted() throws {
    var generator = SeededGenerator(seed: 3)
    let channels: [SensorChannel] = [.magnetometer, .gyroscope, .deviceAttitude, .accelerometer]
    let sources = channels.map { channel in
      ListSource((0..<5000).map { _ in Double(Int.random(in: 0..<3000, using: &generator)) }.sorted(), channel)
    }
    let samples = try merge(sources)
    #expect(samples.count == 20_000)
    #expect(
      zip(samples, samples.dropFirst()).allSatisfy { a, b in
        a.time < b.time || (a.time == b.time && a.channel.rawValue <= b.channel.rawValue)
      })
    for channel in channels { #expect(samples[channel].map(\.x) == (0..<5000).map(Double.init)) }
  }

  @Test("the order within a stream is preserved, and invalid times do not stop the merge")
  func unsorted() throws {
    let samples = try merge([
      ListSource([5, 1, .nan, 2, .infinity, 3], .gyroscope), ListSource([0, 4, 6, 7], .accelerometer),
    ])
    #expect(samples[.gyroscope].map(\.x) == [0, 1, 2, 3, 4, 5] && samples[.accelerometer].map(\.time) == [0, 4, 6, 7])
    #expect(samples.prefix(3).map(\.time) == [0, 4, 5])
  }

  @Test("streams may be empty, and counts and progress cover all streams")
  func emptyStreams() throws {
    var merged = MergedLogReader(Self.description, [ListSource([], .gyroscope), ListSource([1, 2], .accelerometer)])
    var samples: [SensorSample] = []
    #expect(merged.progress == 0.5)
    while try merged.read(into: &samples) {}
    #expect(samples.count == 2)
    #expect(merged.progress == 1 && merged.emptyCounts == [.gyroscope: 1, .accelerometer: 1])
    var nothing = MergedLogReader(Self.description, [])
    #expect(try !nothing.read(into: &samples) && nothing.progress == 1)
  }
}
