/// The standard gravity, 1 g in m/s², exact by definition (3rd CGPM, 1901).
@inlinable package var standardGravity: Double { 9.80665 }
