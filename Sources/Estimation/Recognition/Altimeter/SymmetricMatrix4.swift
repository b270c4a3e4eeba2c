internal import InertialNumerics

/// A symmetric matrix over altitude h, vertical speed v, acceleration bias b and lagged altitude l, stored as ten
/// numbers.
struct SymmetricMatrix4 {
  var hh = 0.0
  var hv = 0.0
  var hb = 0.0
  var hl = 0.0
  var vv = 0.0
  var vb = 0.0
  var vl = 0.0
  var bb = 0.0
  var bl = 0.0
  var ll = 0.0

  init() {}

  /// Creates a matrix from the upper triangle.
  init(_ m: FixedMatrix<4, 4>) {
    (hh, hv, hb, hl) = (m[0, 0], m[0, 1], m[0, 2], m[0, 3])
    (vv, vb, vl) = (m[1, 1], m[1, 2], m[1, 3])
    (bb, bl, ll) = (m[2, 2], m[2, 3], m[3, 3])
  }

  var matrix: FixedMatrix<4, 4> {
    var m = FixedMatrix<4, 4>()
    (m[0, 0], m[0, 1], m[0, 2], m[0, 3]) = (hh, hv, hb, hl)
    (m[1, 0], m[1, 1], m[1, 2], m[1, 3]) = (hv, vv, vb, vl)
    (m[2, 0], m[2, 1], m[2, 2], m[2, 3]) = (hb, vb, bb, bl)
    (m[3, 0], m[3, 1], m[3, 2], m[3, 3]) = (hl, vl, bl, ll)
    return m
  }

  /// Adds g gᵀ times a factor.
  mutating func addOuter(altitude h: Double, speed v: Double, bias b: Double, lagged l: Double, _ factor: Double) {
    let (fh, fv, fb) = (factor * h, factor * v, factor * b)
    hh += fh * h
    hv += fh * v
    hb += fh * b
    hl += fh * l
    vv += fv * v
    vb += fv * b
    vl += fv * l
    bb += fb * b
    bl += fb * l
    ll += factor * l * l
  }
}
