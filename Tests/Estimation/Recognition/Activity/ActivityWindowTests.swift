import Foundation
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@testable import InertialRecognition

@Suite("Activity windows")
struct ActivityWindowTests {
  /// The accelerations without and with gravity.
  private typealias Accelerations = (user: Vector3, total: Vector3)

  private func described(_ means: [Accelerations]) -> [ActivityBin] {
    var cells = means.map { user, total in
      ActivityBin(
        SIMD8(Float(user.x), Float(user.y), Float(user.z), 0, Float(total.x), Float(total.y), Float(total.z), 0))
    }
    cells.withUnsafeMutableBufferPointer { ActivityBin.describe($0.baseAddress!, count: means.count) }
    return cells
  }

  @Test("a cell contains the vertical and horizontal acceleration, and the direction of gravity")
  func cell() {
    var generator = SeededGenerator(seed: 9)
    func vector(_ scale: Double) -> Vector3 { generator.vector(scale) }
    let means: [Accelerations] = (0..<8).map { _ in
      let (user, gravity) = (vector(0.4), vector(1))
      return (user, user + gravity / gravity.norm)
    }
    for ((user, total), cell) in zip(means, described(means)) {
      let down = (total - user) / (total - user).norm
      let across = user - user.dot(down) * down
      let expected = [-user.dot(down), across.x, across.y, across.z, total.norm, down.x, down.y, down.z]
      for (lane, value) in expected.enumerated() { #expect(abs(Double(cell.values[lane]) - value) < 1e-5) }
    }
  }

  @Test("cells are the means of their samples, and interpolated linearly if they have no samples")
  func means() {
    func means(_ times: [Double]) -> [Float] {
      var (cells, found) = (ActivityBins(), [Float]())
      for time in times {
        let value = Vector3(time - times[0], 0, 0)
        cells.append(time: time, user: value, total: value) { found.append($0[0]) }
      }
      return found
    }
    // A timestamp just before 20 ms, because of rounding, belongs to the next cell. A rate of 10 Hz leaves cells empty.
    for (index, mean) in means((0...100).map { 7e8 + Double($0) * 0.01 }).enumerated() {
      #expect(abs(mean - (Float(index) * 0.02 + 0.005)) < 1e-5)
    }
    for (index, mean) in means((0...20).map { 3 + Double($0) * 0.1 }).enumerated() {
      #expect(abs(mean - Float(index) * 0.02) < 1e-5)
    }
  }

  @Test("logarithms match the definition")
  func logarithms() {
    for exponent in stride(from: -6.0, through: 9, by: 0.0137) {
      let value = Float(pow(10, exponent))
      #expect(abs(Double(FeatureScale.log2(value)) - log2(Double(value))) < 4e-6)
    }
  }

  private func cells(seed: UInt64 = 3) -> [ActivityBin] {
    var generator = SeededGenerator(seed: seed)
    return described(
      (0..<WindowSpectrum.size).map { index in
        let user = Vector3(generator.normal(), generator.normal(), sin(Double(index) / 4)) * 0.2
        return (user, user + Vector3(0.1, -0.7, -0.6))
      })
  }

  @Test("spectra match the definition")
  func spectrum() {
    let cells = cells()
    let n = WindowSpectrum.size
    let mean = cells.reduce(SIMD8<Float>.zero) { $0 + $1.values } / Float(n)
    var found = [WindowSpectrum.Power](repeating: .zero, count: 65)
    WindowSpectrum.shared.evaluate(cells, mean: mean, powers: &found)
    let step = 2 * Double.pi / Double(n)
    let window: [Double] = (0..<n).map { 0.5 - 0.5 * cos(step * (Double($0) + 0.5)) }
    let scale = window.reduce(0) { $0 + $1 * $1 } * Double(n) / 2
    for k in 0...64 {
      let powers = (0..<4).map { lane -> Double in
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<n {
          let value = Double(cells[index].values[lane] - mean[lane]) * window[index]
          real += value * cos(step * Double(k * index))
          imaginary -= value * sin(step * Double(k * index))
        }
        return (real * real + imaginary * imaginary) / scale
      }
      #expect(abs(Double(found[k].x) - powers[0]) < 1e-6)
      #expect(abs(Double(found[k].y) - powers[1] - powers[2] - powers[3]) < 1e-6)
    }
  }

  @Test("the repetition matches the definition")
  func correlation() {
    let n = WindowSpectrum.size
    var generator = SeededGenerator(seed: 5)
    let signal = (0..<n).map { Float(sin(2 * .pi * Double($0) / 26) + 0.3 * generator.normal()) }
    func value(_ lag: Int) -> Float {
      let sum = (0..<(n - lag)).reduce(Float(0)) { $0 + signal[$1] * signal[$1 + lag] }
      let energy = signal[..<n].reduce(Float(0)) { $0 + $1 * $1 } + 1e-4
      return sum / energy * Float(n) / Float(n - lag)
    }
    let best = (12..<62).max { value($0) < value($1) }!
    let lowest = (4..<40).map { value($0) }.min()!
    let padded = signal + Array(repeating: 0, count: WindowCorrelation.capacity - n)
    let peak = WindowCorrelation.peak(padded)
    #expect(abs(peak.highest - value(best)) < 1e-4 && abs(peak.lag - Float(best) / 50) < 1e-6)
    #expect(abs(peak.lowest - lowest) < 1e-4)
    #expect(best == 26 || best == 52)
  }

  @Test("features do not depend on the device's orientation, and hardly on the sample rate")
  func invariance() throws {
    func features(_ rate: Double, _ angle: Double) throws -> ActivityWindow {
      var motion = SimulatedActivity(rate: rate)
      motion.attitude = .init(angle: angle, axis: Vector3(0.3, -1, 0.4))
      motion.add(.walking, seconds: 3)
      var windows = ActivityWindows()
      return try #require(motion.samples.compactMap { windows.update($0) }.first)
    }
    let reference = try features(100, 0.3)
    for (rate, angle) in [(100.0, 2.5), (200, 1.1), (400, 0.3), (50, 0.3)] {
      let other = try features(rate, angle)
      // The sensor noise differs between rates.
      for feature in [ActivityFeature.verticalLevel, .horizontalMean, .verticalBand3, .repetition, .normDeviation] {
        #expect(abs(reference[feature] - other[feature]) < 0.05, "\(feature) at \(rate) Hz")
      }
    }
    #expect(ActivityFeature.allCases.count == reference.features.count)
    #expect(abs(reference[.verticalPeakFrequency] - 1.9) < 0.25)
    #expect(reference.end - reference.start == 2.56 && reference.isFirst)
  }

  @Test("a device at rest, and one without any acceleration, have finite features")
  func quiet() {
    for total in [Vector3(0, 0, -1), .zero] {
      let cells = described(Array(repeating: (.zero, total), count: 128))
      let window = ActivityWindow(cells, rotation: nil, start: 0, isFirst: true)
      #expect(window.features.allSatisfy { $0.isFinite })
      #expect(window[.verticalLevel] <= -3 && window.level < 1e-3)
    }
  }
}
