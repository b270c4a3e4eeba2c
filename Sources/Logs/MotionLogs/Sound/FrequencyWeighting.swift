internal import InertialSystem

/// The frequency weighting of a sound level meter (IEC 61672-1).
public enum FrequencyWeighting: String, Sendable, CaseIterable, Codable {
  /// Z: no weighting.
  case flat = "z"
  /// A: approximately the sensitivity of the ear.
  case a = "a"
}

/// The A weighting as a digital filter, for one channel of sound.
///
/// The standard has four zeros at 0 and poles at 20.6 Hz (two), 107.7 Hz, 737.9 Hz and 12,194 Hz (two) (IEC
/// 61672-1:2013, annex E). The bilinear transformation maps the lower poles. It would compress the highest two against
/// half the sample rate: these are placed at exp(−ω / rate), with two zeros at −0.1, which bring the response within
/// 0.1 dB of the standard's to 10 kHz and 0.6 dB to 16 kHz at 44.1 and 48 kHz, and within 0.8 dB to 4 kHz at 16 kHz.
/// The gain at 1 kHz is 1.
struct AWeightingFilter {
  /// A second-order section, direct form II transposed.
  private struct Section {
    var (b0, b1, b2, a1, a2) = (1.0, 0.0, 0.0, 0.0, 0.0)
    private var (s1, s2) = (0.0, 0.0)

    init(zeros: (Double, Double), poles: (Double, Double)) {
      (b1, b2) = (-zeros.0 - zeros.1, zeros.0 * zeros.1)
      (a1, a2) = (-poles.0 - poles.1, poles.0 * poles.1)
    }

    mutating func filter(_ x: Double) -> Double {
      let y = b0 * x + s1
      s1 = b1 * x - a1 * y + s2
      s2 = b2 * x - a2 * y
      return y
    }

    /// Returns the squared gain at an angle on the unit circle, in radians.
    func squaredGain(_ angle: Double) -> Double {
      func squared(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
        let real = c0 + c1 * cos(angle) + c2 * cos(2 * angle)
        let imaginary = c1 * sin(angle) + c2 * sin(2 * angle)
        return real * real + imaginary * imaginary
      }
      return squared(b0, b1, b2) / squared(1, a1, a2)
    }
  }

  private var sections: [Section]
  private var gain = 1.0

  init(sampleRate: Double) {
    func bilinear(_ frequency: Double) -> Double {
      let half = Double.pi * frequency / sampleRate
      return (1 - half) / (1 + half)
    }
    let high = exp(-2 * Double.pi * 12_194.217 / sampleRate)
    sections = [
      Section(zeros: (1, 1), poles: (bilinear(20.598997), bilinear(20.598997))),
      Section(zeros: (1, 1), poles: (bilinear(107.65265), bilinear(737.86223))),
      Section(zeros: (-0.1, -0.1), poles: (high, high)),
    ]
    let angle = 2 * Double.pi * 1000 / sampleRate
    gain = 1 / sections.reduce(1) { $0 * $1.squaredGain(angle) }.squareRoot()
  }

  mutating func callAsFunction(_ x: Double) -> Double {
    var y = gain * x
    for index in sections.indices { y = sections[index].filter(y) }
    return y
  }
}
