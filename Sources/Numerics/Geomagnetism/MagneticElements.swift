internal import InertialSystem

/// The magnetic field at a location and date, in the elements of maps and compasses, with their rates of change.
///
/// North and east are horizontal on the WGS 84 ellipsoid, relative to geographic north.
public struct MagneticElements: Sendable, Hashable {
  /// The component X to geographic north, nT.
  public let north: Double
  /// The component Y to the east, nT.
  public let east: Double
  /// The component Z downwards, nT.
  public let down: Double
  /// The change of `north`, in nT per year.
  public let northRate: Double
  /// The change of `east`, in nT per year.
  public let eastRate: Double
  /// The change of `down`, in nT per year.
  public let downRate: Double

  init(field: MagneticModel.Components, rate: MagneticModel.Components) {
    (north, east, down) = (field.north, field.east, field.down)
    (northRate, eastRate, downRate) = (rate.north, rate.east, rate.down)
  }

  // The elements follow the definitions in the World Magnetic Model's technical report, with their time derivatives.

  /// The horizontal intensity H, nT.
  public var horizontalIntensity: Double { hypot(north, east) }

  /// The total intensity F, nT.
  public var totalIntensity: Double { hypot(horizontalIntensity, down) }

  /// The declination D: from geographic to magnetic north, positive east, degrees in (−180, 180].
  ///
  /// Magnetic bearing + declination = true bearing.
  public var declination: Double { atan2(east, north) * 180 / .pi }

  /// The inclination or dip I: from the horizontal, positive down, degrees in [−90, 90].
  public var inclination: Double { atan2(down, horizontalIntensity) * 180 / .pi }

  /// The change of H, in nT per year.
  public var horizontalIntensityRate: Double {
    (north * northRate + east * eastRate) / horizontalIntensity
  }

  /// The change of F, in nT per year.
  public var totalIntensityRate: Double {
    (north * northRate + east * eastRate + down * downRate) / totalIntensity
  }

  /// The change of the declination, in degrees per year.
  public var declinationRate: Double {
    let h = horizontalIntensity
    return (north * eastRate - east * northRate) / (h * h) * 180 / .pi
  }

  /// The change of the inclination, in degrees per year.
  public var inclinationRate: Double {
    let f = totalIntensity
    return (horizontalIntensity * downRate - down * horizontalIntensityRate) / (f * f) * 180 / .pi
  }

  /// The field in µT in a north-west-up frame, X to geographic north.
  public var northWestUp: Vector3 { Vector3(north, -east, -down) / 1000 }
}
