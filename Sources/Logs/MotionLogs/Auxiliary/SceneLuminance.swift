internal import InertialSystem

/// The luminance that Exif's BrightnessValue stands for.
///
/// The tag (9203 hexadecimal, an APEX value, usually −99.99 to 99.99) is 0 at one foot-lambert and rises by one with each
/// doubling (Exif 2.32, CIPA DC-008, section 4.6.5 and annex C). A foot-lambert is 1/π candela per square foot. Cameras
/// meter the scene by their own exposure, so the value is as good as that: about a half.
enum SceneLuminance {
  /// cd/m².
  static let footLambert = 1 / (Double.pi * 0.3048 * 0.3048)

  static func candelaPerSquareMeter(brightnessValue: Double) -> Double { footLambert * exp2(brightnessValue) }
}
