// swift-tools-version: 6.3
import PackageDescription

/// Returns the target of a script, which imports Inertial and the named additional products.
func script(_ name: String, _ products: String...) -> Target {
  .executableTarget(
    name: name, dependencies: (["Inertial"] + products).map { .product(name: $0, package: "Inertial") })
}

let package = Package(
  name: "NotebooksData",
  platforms: [.macOS("26.0")],
  dependencies: [.package(name: "Inertial", path: "..")],
  targets: [
    script("Consistency", "InertialResearch"),
    script("FaultsAndGaps"),
    script("TimeFilters"),
    script("TimeDeviations", "InertialCalibration"),
    script("MakeLogs", "InertialResearch"),
    // Phone code compiled against the compatibility products.
    .executableTarget(
      name: "PhonePrograms",
      dependencies: [
        .product(name: "CoreMotionCompatibility", package: "Inertial"),
        .product(name: "UIKitCompatibility", package: "Inertial"),
      ]),
    script("DrawAFigure", "InertialFigures", "InertialResearch"),
    script("RunFilters", "InertialCalibration"),
    script("ShakeWeights", "InertialCore"),
    script("RecogniserLimits", "InertialRecognition"),
    script("LongScenes", "InertialResearch"),
    script("SyntheticSuite", "InertialCore", "InertialResearch"),
    script("ReadALog", "InertialCore"),
    script("VQFColumns"),
    script("TrackACompass", "InertialCore", "InertialResearch"),
    script("TraceFilter"),
    script("WriteAFilter"),
  ]
)
