import Foundation
import Testing

@testable import InertialSensors

@Suite("Quality of a stream") struct StreamQualityTests {
  private func quality(_ samples: [(time: Double, x: Double)], channel: SensorChannel = .deviceHeading) -> StreamQuality
  {
    var quality = StreamQuality()
    for (index, sample) in samples.enumerated() {
      var made = SensorSample(time: sample.time, channel: channel, x: sample.x)
      made.line = UInt32(index + 2)
      quality.add(raw: made)
      quality.add(made)
    }
    return quality
  }

  @Test("a pause does not change the median interval and the spread, and gaps are reported with time and line")
  func clock() {
    let times: [Double] = (0..<1000).map { index in
      let pause: Double = index >= 700 ? 4 : index >= 500 ? 3 : 0
      return Double(index) / 100 + pause
    }
    let found = quality(times.map { ($0, $0) })
    #expect(abs(found.medianInterval - 0.01) < 1e-9 && found.intervalSpread < 1e-6 && found.gapCount == 2)
    #expect(found.gaps.map { $0.line } == [502, 702])
    #expect(abs(found.gaps[0].duration - 3.01) < 1e-9 && abs(found.gaps[0].time - 4.99) < 1e-9)
    #expect(found.longestGap == found.gaps[0] && abs(found.gapTime - 4.02) < 1e-9 && found.blockLength == nil)
  }

  @Test("blocks of timestamps are detected: their length if evenly spaced, bursts if equal")
  func blocks() {
    let spread: [Double] = (0..<400).map { index in
      let (block, position) = (Double(index / 8), Double(index % 8))
      return block * 0.08 + position * 0.005
    }
    #expect(quality(spread.map { ($0, $0) }).blockLength == 8)
    let times: [(time: Double, x: Double)] = (0..<400).map { index in (Double(index / 8) * 0.08, Double(index)) }
    let shared = quality(times)
    #expect(shared.longestBurst.count == 8 && shared.sameTimeCount == 350)
    // Timestamps in whole milliseconds are not blocks.
    let rounded: [Double] = (0..<400).map { index in (Double(index) * 9.7).rounded() / 1000 }
    #expect(quality(rounded.map { ($0, $0) }).blockLength == nil)
  }

  @Test("the resolution is the step of which all values are multiples, and noise has no resolution")
  func resolution() {
    var generator = SeededGenerator(seed: 4)
    let noise = (0..<3000).map { _ in Double.random(in: -1...1, using: &generator) }
    func step(_ values: [Double]) -> Double? {
      quality(values.enumerated().map { (Double($0.offset), $0.element) }).axes[0].step
    }
    for quantum in [0.001, 0.0049, 1.0 / 512, 0.15] {
      let found = step(noise.map { ($0 / quantum).rounded() * quantum })
      #expect(abs((found ?? 0) / quantum - 1) < 0.001, "\(quantum): \(String(describing: found))")
    }
    #expect(step(noise) == nil && step(Array(noise.prefix(20))) == nil)
  }

  @Test("clipping is detected at the end of a range, but not at a repeated peak")
  func rangeEnds() {
    /// Returns the axis x of a sensor whose other axes change with every sample.
    func axis(_ values: [Double]) -> StreamQuality.Axis {
      var quality = StreamQuality()
      for (index, value) in values.enumerated() {
        quality.add(raw: SensorSample(time: Double(index) / 100, channel: .gyroscope, x: value, y: Double(index), z: 0))
      }
      return quality.axes[0]
    }
    // 4 Hz at 100 Hz in steps of 0.001: the same 25 values in every period.
    let swings: [Double] = (0..<2000).map { index in
      let phase = 0.08 * Double.pi * Double(index) + 0.3
      return (2000 * sin(phase)).rounded() / 1000
    }
    let whole = axis(swings)
    #expect(whole.atLargest == 80 && !whole.isPiledAtLargest && !whole.isPiledAtSmallest)
    let cut = axis(swings.map { min(max($0, -1.2), 1.2) })
    #expect(cut.largest == 1.2 && cut.smallest == -1.2 && cut.isPiledAtLargest && cut.isPiledAtSmallest)
    // An occasional spike beyond the range, and noise otherwise.
    let noise: [Double] = (0..<1000).map { index in index % 100 == 0 ? 8 : sin(Double(index * index)) }
    let spikes = axis(noise)
    #expect(spikes.atLargest == 10 && spikes.isPiledAtLargest && !spikes.isPiledAtSmallest)
    // A slow oscillation stays on its topmost step, and as long on the three below it.
    let dwelling: [Double] = (0..<40_000).map { index in (50 * sin(Double(index) / 1000)).rounded() }
    let slow = axis(dwelling)
    #expect(slow.atLargest > 1000 && !slow.isPiledAtLargest && !slow.isPiledAtSmallest)
  }

  @Test("runs of equal and of zero samples, and samples at the ends of the range")
  func values() {
    let values: [Double] = [1, 2, 2, 2, 3, 0, 0, 4, 5, 5, 4, 5, 0, 0, 0]
    let found = quality(values.enumerated().map { (Double($0.offset), $0.element) })
    #expect(found.longestConstantRun == .init(count: 3, time: 1, line: 3))
    #expect(found.zeroCount == 5 && found.longestZeroRun == .init(count: 3, time: 12, line: 14))
    #expect(found.axes[0].largest == 5 && found.axes[0].atLargest == 2)
    #expect(found.axes[0].smallest == 0 && found.axes[0].atSmallest == 2 && found.count == 15)
  }

  @Test("samples in blocks have the same statistics as one by one, and only channels up to the last are added")
  func blocksOfSamples() {
    var generator = SeededGenerator(seed: 7)
    let channels: [SensorChannel] = [.gyroscope, .accelerometer, .deviceAttitude, .deviceHeading]
    let samples = (0..<4000).map { index in
      // Few values, so that axes and samples are repeated.
      let values = (0..<4).map { _ in Double(Int.random(in: 0...2, using: &generator)) }
      return SensorSample(
        time: Double(index / 4) / 100, channel: channels[index % 4], x: index % 97 == 0 ? .nan : values[0],
        y: values[1], z: values[2], w: values[3])
    }
    var (turned, singles) = (0.0, [StreamQuality](repeating: StreamQuality(), count: SensorChannel.allCases.count))
    var last = Double.nan
    for sample in samples {
      if sample.channel <= .deviceAttitude { singles[Int(sample.channel.rawValue)].add(raw: sample, turned: turned) }
      guard sample.channel == .gyroscope else { continue }
      let norm = sample.vector.norm
      if sample.time > last, norm.isFinite { turned += norm * (sample.time - last) }
      last = sample.time
    }
    var blocks = [StreamQuality](repeating: StreamQuality(), count: SensorChannel.allCases.count)
    var rotation = (angle: 0.0, time: Double.nan)
    for start in stride(from: 0, to: samples.count, by: 300) {
      let block = Array(samples[start..<min(start + 300, samples.count)])
      StreamQuality.add(raw: block, through: .deviceAttitude, to: &blocks, turned: &rotation)
    }
    // As texts, since statistics without a sample in time order have a NaN, which does not equal itself.
    #expect("\(blocks)" == "\(singles)")
    #expect(rotation.angle == turned)
    #expect(blocks[0].axes[0].longestStuckRun.count > 3 && blocks[4].axes[3].longestStuckRun.count > 3)
    #expect(blocks.map(\.hasSamples).enumerated().filter(\.element).map(\.offset) == [0, 1, 4])
  }

  @Test("a histogram's quantiles are accurate to 1 %")
  func histogram() {
    var histogram = LogarithmicHistogram()
    #expect(histogram.median == 0)
    for value in 1...999 { histogram.add(Double(value)) }
    for value in [0, -1, .nan, .infinity] { histogram.add(value) }
    #expect(histogram.count == 999)
    #expect(abs(histogram.median / 500 - 1) < 0.01 && abs(histogram.quantile(0.95) / 950 - 1) < 0.01)
  }
}

@Suite("Axes of a sensor") struct SensorAxesTests {
  @Test("an option's text names each axis once, and a sensor or all")
  func text() {
    for text in ["x,-z,y", "gyroscope=-y,x,z", "magnetometer=z,y,-x"] { #expect(SensorAxes(text)?.text == text) }
    for text in ["", "x,y", "x,y,y", "x,y,z,x", "thermometer=x,y,z", "x,y,w", "--x,y,z"] {
      #expect(SensorAxes(text) == nil)
    }
  }

  @Test("all 48 signed axes differ, have an inverse, and half of them are rotations")
  func all() {
    #expect(Set(SignedAxes.all).count == 48 && SignedAxes.all[0] == .identity)
    #expect(SignedAxes.all.filter { $0.determinant > 0 }.count == 24)
    let v = Vector3(1, 2, 3)
    for axes in SignedAxes.all {
      #expect(axes.inverse(axes(v)) == v)
      let (a, b, c) = (axes(.unitX), axes(.unitY), axes(.unitZ))
      #expect(axes.determinant == a.dot(b.cross(c)) && axes.negated(v) == -1 * axes(v))
    }
  }

  @Test("only the selected sensors are rotated, and no channel that the device has computed")
  func apply() {
    let channels = SensorChannel.allCases
    let before = channels.map { SensorSample(time: 0, channel: $0, x: 1, y: 2, z: 3, w: 4) }
    func turned(_ text: String) -> [SensorChannel] {
      var samples = before
      SensorAxes(text)!.apply(to: &samples)
      return zip(samples, before).filter { $0 != $1 }.map(\.0.channel)
    }
    #expect(turned("-x,y,z") == [.gyroscope, .accelerometer, .magnetometer, .calibratedMagneticField])
    #expect(turned("accelerometer=y,x,z") == [.accelerometer])
    #expect(turned("magnetometer=y,x,z") == [.magnetometer, .calibratedMagneticField])
  }
}
