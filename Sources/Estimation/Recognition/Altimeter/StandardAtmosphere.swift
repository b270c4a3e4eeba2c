internal import InertialSensors
internal import InertialSystem

/// Air pressure and altitude in the ICAO standard atmosphere (ICAO Doc 7488, third edition, 1993).
///
/// The altitude is the geopotential one above the level of 101.325 kPa. It is what CMAltimeter and Android make of
/// pressure: differences agree with their relative altitude to millimetres. Above 20 km the lower stratosphere is
/// carried on.
public enum StandardAtmosphere {
  /// kPa, at altitude 0.
  public static let seaLevelPressure = 101.325
  /// K, at altitude 0.
  static let seaLevelTemperature = 288.15
  /// K/m, by which the troposphere grows colder upwards.
  static let lapseRate = 0.0065
  /// J/(kg K), of dry air.
  static let gasConstant = 287.05287
  /// m, where the temperature stops falling.
  static let tropopause = 11_000.0

  private static let exponent = gasConstant * lapseRate / standardGravity
  private static let tropopauseTemperature = seaLevelTemperature - lapseRate * tropopause
  private static let tropopausePressure =
    seaLevelPressure * pow(tropopauseTemperature / seaLevelTemperature, 1 / exponent)
  /// m, in which the pressure falls by the factor e above the tropopause.
  private static let scaleHeight = gasConstant * tropopauseTemperature / standardGravity

  /// The altitude in m of a pressure in kPa; nil for one that is not above 0 and finite.
  public static func altitude(pressure: Double) -> Double? {
    guard pressure > 0, pressure.isFinite else { return nil }
    guard pressure >= tropopausePressure else { return tropopause + scaleHeight * log(tropopausePressure / pressure) }
    return seaLevelTemperature / lapseRate * (1 - pow(pressure / seaLevelPressure, exponent))
  }

  /// The pressure in kPa at an altitude in m.
  public static func pressure(altitude: Double) -> Double {
    guard altitude <= tropopause else { return tropopausePressure * exp((tropopause - altitude) / scaleHeight) }
    return seaLevelPressure * pow(1 - lapseRate * altitude / seaLevelTemperature, 1 / exponent)
  }
}
