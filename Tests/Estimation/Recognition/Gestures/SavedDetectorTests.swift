import Foundation
import InertialFilters
import InertialNumerics
import InertialRecognition
import InertialSensors
import TestSupport
import Testing

@Suite("Saved and restored detectors")
struct SavedDetectorTests {
  /// Three shakes with a gap in the stream and samples without a rotation rate, as raw and user acceleration.
  private static let samples: [MotionSample] = {
    let parts = [
      SyntheticMotion(amplitude: 5).samples(rate: 90),
      SyntheticMotion(frequency: 5, amplitude: 4, duration: 2).samples(rate: 100, from: 9),
      SyntheticMotion(frequency: 3.6, amplitude: 6).samples(rate: 60, from: 15, hasGyroscope: false),
    ]
    return parts.joined().map { sample in
      with(sample) { $0.acceleration = sample.userAcceleration.map { $0 - Vector3(0.1, 0.2, 0.97) } }
    }
  }()

  /// Returns a detector after encoding and decoding.
  private static func restored<Detector: GestureDetector>(_ detector: Detector) throws -> any GestureDetector {
    try savedAndRestored(detector)
  }

  @Test(
    "a detector of any kind that is saved and restored at any time has the same events as an uninterrupted one",
    arguments: ShakeDetectorKind.all)
  func goOn(kind: ShakeDetectorKind) throws {
    let options = with(GestureOptions()) { ($0.isOneShot, $0.maximumDuration) = (false, 2.5) }
    let expected = events(try kind.make(options: options), Self.samples)
    #expect(!expected.isEmpty || kind.name == "legacy")
    for cut in stride(from: 1, to: Self.samples.count, by: 61) {
      var detector = try kind.make(options: options)
      var found = Self.samples[..<cut].compactMap { detector.update($0) }
      var second = try Self.restored(detector)
      #expect(second.name == kind.name && second.reading == detector.reading && second.lastEvent == detector.lastEvent)
      found += Self.samples[cut...].compactMap { second.update($0) } + [second.finish()].compactMap { $0 }
      #expect(found == expected, "cut at \(cut)")
    }
  }

  @Test("a pause and a one-shot's stop are also saved")
  func flags() throws {
    var detector: any GestureDetector = ShakeDetector<MagnitudeRule<SlowMagnitude>>()
    for sample in Self.samples.prefix(600) { _ = detector.update(sample) }
    _ = detector.pause(at: 7)
    var second = try Self.restored(detector)
    #expect(second.isPaused && second.isStopped && second.count == detector.count)
    second.resume()
    #expect(Self.samples.dropFirst(600).allSatisfy { second.update($0) == nil })
  }

  @Test("invalid saved detectors are rejected")
  func refusals() throws {
    let decoder = JSONDecoder()
    let saved = try JSONEncoder().encode(ShakeDetector<ReferenceRule>())
    let text = String(decoding: saved, as: UTF8.self)
    #expect(text.contains("\"cells\"") && text.contains("\"rotationCount\":0"))
    for wrong in ["{}", text.replacing("\"rotationCount\":0", with: "\"rotationCount\":21")] {
      #expect(throws: DecodingError.self) {
        try decoder.decode(ShakeDetector<ReferenceRule>.self, from: Data(wrong.utf8))
      }
    }
    #expect(throws: DecodingError.self) { try decoder.decode(ShakeDetector<UserAxisRule>.self, from: saved) }
  }
}
