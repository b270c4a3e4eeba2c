import Testing

/// The field compared with the negative gradient of its own potential, evaluated naively: closed sums for the Legendre
/// functions, differences in Cartesian coordinates, and the horizontal axes from latitude and longitude.
struct HarmonicFieldTests {
  /// A synthetic model whose terms have similar sizes.
  struct Terms {
    var g: [[Double]] = []
    var h: [[Double]] = []

    init(degree: Int, seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      for n in 1...degree {
        g.append((0...n).map { _ in (1e4 * generator.normal()).rounded() / 10 })
        h.append((0...n).map { $0 == 0 ? 0 : (1e4 * generator.normal()).rounded() / 10 })
      }
    }

    var file: String {
      var text = "  2025.0  TEST  01/01/2025\n"
      for n in 1...g.count { for m in 0...n { text += " \(n) \(m) \(g[n - 1][m]) \(h[n - 1][m]) 0.0 0.0\n" } }
      return text + "999999999999999999999999\n"
    }

    /// Returns the potential in nT m at a position in earth-centred, earth-fixed coordinates.
    func potential(_ p: Vector3) -> Double {
      let a = 6_371_200.0
      let r = p.norm
      let (x, longitude) = (p.z / r, atan2(p.y, p.x))
      var sum = 0.0
      for n in 1...g.count {
        for m in 0...n {
          let (c, s) = (cos(Double(m) * longitude), sin(Double(m) * longitude))
          sum += a * pow(a / r, Double(n + 1)) * (g[n - 1][m] * c + h[n - 1][m] * s) * schmidt(n, m, x)
        }
      }
      return sum
    }

    /// Returns Schmidt's function, from the closed sum of the Legendre polynomial's derivatives.
    private func schmidt(_ n: Int, _ m: Int, _ x: Double) -> Double {
      func factorial(_ k: Int) -> Double { k < 2 ? 1 : (2...k).reduce(1.0) { $0 * Double($1) } }
      var sum = 0.0
      for k in 0...((n - m) / 2) {
        let sign = k.isMultiple(of: 2) ? 1.0 : -1
        let numerator = sign * factorial(2 * n - 2 * k) * pow(x, Double(n - m - 2 * k))
        sum += numerator / (pow(2, Double(n)) * factorial(k) * factorial(n - k) * factorial(n - m - 2 * k))
      }
      let normalisation = m == 0 ? 1 : (2 * factorial(n - m) / factorial(n + m)).squareRoot()
      return normalisation * pow(1 - x * x, Double(m) / 2) * sum
    }
  }

  @Test("the field is the negative gradient of the potential, in the axes of the ellipsoid's horizon")
  func gradient() throws {
    let terms = Terms(degree: 12, seed: 21)
    let model = try MagneticModel(coefficientFile: terms.file)
    #expect(model.degree == 12)
    for (latitude, longitude, height) in [
      (0.0, 0.0, 0.0), (45, 7, 1000), (-33.3, 151, 20_000), (89.9, -40, 0), (-89.9, 100, 400_000), (70, -179, 800_000),
    ] {
      let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
      let up = Vector3(cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi))
      let east = Vector3(-sin(lambda), cos(lambda), 0)
      let north = up.cross(east)
      // WGS 84 from its semi-axes.
      let (a, b) = (6_378_137.0, 6_356_752.314245)
      let n = a * a / (a * a * cos(phi) * cos(phi) + b * b * sin(phi) * sin(phi)).squareRoot()
      let position = Vector3((n + height) * up.x, (n + height) * up.y, (b * b / (a * a) * n + height) * sin(phi))
      let step = 500.0
      func slope(_ direction: Vector3) -> Double {
        let near = terms.potential(position + step * direction) - terms.potential(position - step * direction)
        let far = terms.potential(position + 2 * step * direction) - terms.potential(position - 2 * step * direction)
        return (8 * near - far) / (12 * step)
      }
      let field = try model.elements(latitude: latitude, longitude: longitude, height: height, decimalYear: 2026)
      #expect(isNear(field.north, -slope(north), within: 0.01))
      #expect(isNear(field.east, -slope(east), within: 0.01) && isNear(field.down, slope(up), within: 0.01))
    }
  }

  @Test("a single dipole term has its closed-form field")
  func dipole() throws {
    let model = try MagneticModel(
      coefficientFile: "2025 DIPOLE 01/01/2025\n1 0 -30000 0 0 0\n1 1 0 0 0 0\n99999999999\n")
    let field = try model.elements(latitude: 0, longitude: 123, decimalYear: 2025)
    #expect(isNear(field.north, 30000 * pow(6_371_200 / 6_378_137, 3), within: 1e-9))
    #expect(isNear(field.down, 0, within: 1e-9))
    let pole = try model.elements(latitude: 90, longitude: 0, decimalYear: 2025)
    #expect(isNear(pole.down, 60000 * pow(6_371_200 / 6_356_752.314245, 3), within: 1e-4))
    #expect(isNear(pole.horizontalIntensity, 0, within: 1e-9))
  }

  @Test("a coefficient file that is truncated or has a bad line is an error with the line")
  func malformed() {
    let lines = Terms(degree: 3, seed: 2).file.split(separator: "\n").map(String.init)
    #expect(lines.count == 11)
    for cut in 0..<10 {
      // Complete degrees are complete models: after lines 3, 6 and 10.
      let text = lines.prefix(cut).joined(separator: "\n")
      let isComplete = [3, 6].contains(cut)
      if isComplete {
        #expect((try? MagneticModel(coefficientFile: text))?.degree == (cut == 3 ? 1 : 2))
      } else {
        #expect(throws: GeomagnetismError.self) { try MagneticModel(coefficientFile: text) }
      }
    }
    for bad in ["1 1 2 3 4", "1 1 2 3 4 x", "1 1 nan 0 0 0", "3 0 1 1 1 1", "a b c d e f"] {
      var broken = lines
      broken[2] = bad
      #expect(throws: GeomagnetismError.malformedCoefficients(line: 3)) {
        try MagneticModel(coefficientFile: broken.joined(separator: "\n"))
      }
    }
    #expect(throws: GeomagnetismError.malformedCoefficients(line: 1)) {
      try MagneticModel(coefficientFile: "not a model\n")
    }
  }
}
