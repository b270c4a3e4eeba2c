internal import InertialSystem

// Goals, in order: 1. the defined limit at the poles, without a branch; 2. agreement with the report's formulas except
// for rounding; 3. speed. The equations are from Chulliat et al., "The US/UK World Magnetic Model for 2020-2025:
// Technical Report", NOAA NCEI, 2020, section 1.2 ("the report" below).

extension MagneticModel {
  /// The mean radius of the model's expansion in metres ("geomagnetic reference radius").
  static let referenceRadius = 6_371_200.0
  /// The WGS 84 ellipsoid: the equatorial radius in metres and the flattening.
  static let equatorialRadius = 6_378_137.0
  static let flattening = 1 / 298.257223563

  /// Returns the field of this model.
  /// - Parameters:
  ///   - latitude: The geodetic latitude (WGS 84) in degrees north, −90 to 90. At a pole, "north" is the direction of
  ///     the meridian with the given longitude, continued.
  ///   - longitude: The longitude in degrees east; any finite value.
  ///   - height: The height above the WGS 84 ellipsoid in metres, −1 km to 850 km.
  ///   - decimalYear: The date, within `validity`.
  /// - Throws: `dateOutOfRange`, `invalidLatitude`, `invalidLongitude` or `invalidHeight`.
  public func elements(
    latitude: Double, longitude: Double, height: Double = 0, decimalYear: Double
  ) throws(GeomagnetismError) -> MagneticElements {
    guard validity.contains(decimalYear) else {
      throw .dateOutOfRange(decimalYear: decimalYear, years: validity)
    }
    guard (-90...90).contains(latitude) else { throw .invalidLatitude(latitude) }
    guard longitude.isFinite else { throw .invalidLongitude(longitude) }
    guard (-1000...850_000).contains(height) else { throw .invalidHeight(height) }

    let place = Geocentric(latitude: latitude * .pi / 180, height: height)
    let (field, rate) = sphericalField(
      at: place, longitude: remainder(longitude, 360) * .pi / 180, years: decimalYear - epoch)
    return MagneticElements(field: place.toEllipsoid(field), rate: place.toEllipsoid(rate))
  }

  /// A field in north, east and down components, nT.
  struct Components {
    var north = 0.0
    var east = 0.0
    var down = 0.0
  }

  /// A position in spherical coordinates about the earth's centre.
  struct Geocentric {
    /// The distance from the centre in metres.
    var radius: Double
    /// Sine and cosine of the geocentric latitude φ′; the cosine is never negative.
    var sine: Double
    var cosine: Double
    /// Sine and cosine of φ′ − φ, the angle between the two verticals.
    private var tiltSine: Double
    private var tiltCosine: Double

    init(latitude: Double, height: Double) {
      // At exactly ±π/2 the rounded cosine is 6e-17: positive, and practically zero.
      let (s, c) = (sin(latitude), cos(latitude))
      let squaredEccentricity = flattening * (2 - flattening)
      // The report's step 1: radius of curvature of the prime vertical, then cylindrical coordinates.
      let curvature = equatorialRadius / (1 - squaredEccentricity * s * s).squareRoot()
      let p = (curvature + height) * c
      let z = (curvature * (1 - squaredEccentricity) + height) * s
      radius = hypot(p, z)
      (sine, cosine) = (z / radius, p / radius)
      (tiltSine, tiltCosine) = (sine * c - cosine * s, cosine * c + sine * s)
    }

    /// Returns spherical components rotated into the ellipsoid's horizon, the report's step 4.
    func toEllipsoid(_ v: Components) -> Components {
      Components(
        north: v.north * tiltCosine - v.down * tiltSine, east: v.east,
        down: v.north * tiltSine + v.down * tiltCosine)
    }
  }

  /// Returns the field and its change per year in spherical components, the report's steps 2 and 3: the negative
  /// gradient of the potential a Σ (a/r)ⁿ⁺¹ (g cos mλ + h sin mλ) P, with g and h linear in time.
  private func sphericalField(
    at place: Geocentric, longitude: Double, years: Double
  ) -> (field: Components, rate: Components) {
    let harmonics = Harmonics(degree: degree, sine: place.sine, cosine: place.cosine)
    var field = Components()
    var rate = Components()
    let ratio = Self.referenceRadius / place.radius
    var power = ratio * ratio
    for n in 1...degree {
      power *= ratio
      for m in 0...n {
        let index = GaussCoefficients.index(n, m)
        let (c, s) = (cos(Double(m) * longitude), sin(Double(m) * longitude))
        let (gRate, hRate) = (coefficients.gRate[index], coefficients.hRate[index])
        let (g, h) = (coefficients.g[index] + years * gRate, coefficients.h[index] + years * hRate)
        func add(_ g: Double, _ h: Double, to sum: inout Components) {
          sum.north -= power * (g * c + h * s) * harmonics.slope[index]
          sum.east += power * Double(m) * (g * s - h * c) * harmonics.overCosine[index]
          sum.down -= power * Double(n + 1) * (g * c + h * s) * harmonics.value[index]
        }
        add(g, h, to: &field)
        add(gRate, hRate, to: &rate)
      }
    }
    return (field, rate)
  }
}

/// Schmidt semi-normalised associated Legendre functions P(sin φ′) of degree 1 and up, their slopes by φ′,
/// and, for orders from 1, P / cos φ′, which stays finite at the poles.
///
/// The recurrences of the Gauss-normalised functions (Wertz, "Spacecraft Attitude Determination and Control",
/// 1978, appendix H) and their derivatives; every one is free of divisions by cos φ′.
struct Harmonics {
  private(set) var value: [Double]
  private(set) var slope: [Double]
  private(set) var overCosine: [Double]

  init(degree: Int, sine: Double, cosine: Double) {
    let count = GaussCoefficients.index(degree, degree) + 1
    value = Array(repeating: 0, count: count)
    slope = value
    overCosine = value
    for m in 0...degree {
      fillOrder(m, degree: degree, sine: sine, cosine: cosine)
    }
    normalise(degree: degree)
  }

  /// Fills one order, upwards in degree: P(n,n) = cos φ′ P(n−1,n−1) and P(n,m) = sin φ′ P(n−1,m) − K P(n−2,m).
  private mutating func fillOrder(_ m: Int, degree: Int, sine: Double, cosine: Double) {
    // P(m,m) = cosᵐ φ′.
    let power = m == 0 ? 0 : pow(cosine, Double(m - 1))
    var last = (value: m == 0 ? 1 : power * cosine, slope: -Double(m) * power * sine, overCosine: power)
    var beforeLast = (value: 0.0, slope: 0.0, overCosine: 0.0)
    for n in m...degree {
      if n > m {
        let k = Double((n - 1) * (n - 1) - m * m) / Double((2 * n - 1) * max(1, 2 * n - 3))
        let next = (
          value: sine * last.value - k * beforeLast.value,
          slope: sine * last.slope + cosine * last.value - k * beforeLast.slope,
          overCosine: sine * last.overCosine - k * beforeLast.overCosine
        )
        (beforeLast, last) = (last, next)
      }
      guard n > 0 else { continue }
      let index = GaussCoefficients.index(n, m)
      (value[index], slope[index], overCosine[index]) = last
    }
  }

  /// Converts from Gauss's normalisation to Schmidt's.
  private mutating func normalise(degree: Int) {
    var zonal = 1.0
    for n in 1...degree {
      zonal *= Double(2 * n - 1) / Double(n)
      var factor = zonal
      for m in 0...n {
        if m > 0 { factor *= (Double((n - m + 1) * (m == 1 ? 2 : 1)) / Double(n + m)).squareRoot() }
        let index = GaussCoefficients.index(n, m)
        value[index] *= factor
        slope[index] *= factor
        overCosine[index] *= factor
      }
    }
  }
}
