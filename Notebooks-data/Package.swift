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
    // Phone code compiled against the compatibility products, in the Swift 6 and in the Swift 5 language mode.
    .executableTarget(
      name: "PhonePrograms",
      dependencies: [
        "PhoneProgramsSwift5",
        .product(name: "CoreMotionCompatibility", package: "Inertial"),
        .product(name: "CoreMotion", package: "Inertial"),
        .product(name: "UIKitCompatibility", package: "Inertial"),
      ], exclude: ["SwiftFive"]),
    .target(
      name: "PhoneProgramsSwift5",
      dependencies: [
        .product(name: "CoreMotion", package: "Inertial"), .product(name: "UIKitCompatibility", package: "Inertial"),
      ], path: "Sources/PhonePrograms/SwiftFive", swiftSettings: [.swiftLanguageMode(.v5)]),
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
