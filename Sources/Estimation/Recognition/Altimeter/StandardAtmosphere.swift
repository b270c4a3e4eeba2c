internal import InertialSensors
internal import InertialSystem

/// Air pressure and altitude in the ICAO standard atmosphere (ICAO Doc 7488, third edition, 1993).
///
/// The altitude is geopotential, above the level of 101.325 kPa. `CMAltimeter` and Android use the same conversion:
/// differences agree with their relative altitudes to millimetres. The lower stratosphere is extrapolated above 20
/// km.
public enum StandardAtmosphere {
  /// The pressure at altitude 0, in kPa.
  public static let seaLevelPressure = 101.325
  /// The temperature at altitude 0, in K.
  static let seaLevelTemperature = 288.15
  /// The decrease of temperature with altitude in the troposphere, in K/m.
  static let lapseRate = 0.0065
  /// The specific gas constant of dry air, in J/(kg K).
  static let gasConstant = 287.05287
  /// The altitude above which the temperature is constant, in m.
  static let tropopause = 11_000.0

  private static let exponent = gasConstant * lapseRate / standardGravity
  private static let tropopauseTemperature = seaLevelTemperature - lapseRate * tropopause
  private static let tropopausePressure =
    seaLevelPressure * pow(tropopauseTemperature / seaLevelTemperature, 1 / exponent)
  /// The height over which the pressure above the tropopause falls by the factor e, in m.
  private static let scaleHeight = gasConstant * tropopauseTemperature / standardGravity

  /// Returns the altitude in m at a pressure in kPa, or `nil` if the pressure is not positive and finite.
  public static func altitude(pressure: Double) -> Double? {
    guard pressure > 0, pressure.isFinite else { return nil }
    guard pressure >= tropopausePressure else { return tropopause + scaleHeight * log(tropopausePressure / pressure) }
    return seaLevelTemperature / lapseRate * (1 - pow(pressure / seaLevelPressure, exponent))
  }

  /// Returns the pressure in kPa at an altitude in m.
  public static func pressure(altitude: Double) -> Double {
    guard altitude <= tropopause else { return tropopausePressure * exp((tropopause - altitude) / scaleHeight) }
    return seaLevelPressure * pow(1 - lapseRate * altitude / seaLevelTemperature, 1 / exponent)
  }
}
