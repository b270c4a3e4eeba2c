// swift-tools-version: 6.3
import PackageDescription

/// A script: it imports Inertial, and by name what that does not bring.
func script(_ name: String, _ products: String...) -> Target {
  .executableTarget(
    name: name, dependencies: (["Inertial"] + products).map { .product(name: $0, package: "Inertial") })
}

let package = Package(
  name: "NotebooksData",
  platforms: [.macOS("26.0")],
  dependencies: [.package(name: "Inertial", path: "..")],
  targets: [
    script("Consistency", "Studies"),
    script("FaultsAndGaps"),
    script("TimeFilters"),
    script("TimeDeviations", "Calibration"),
    script("MakeLogs", "Simulation"),
    script("CompareSolvers", "Signals"),
    // Code for a phone against the compatibility products.
    .executableTarget(
      name: "PhonePrograms",
      dependencies: [
        .product(name: "CoreMotionCompatibility", package: "Inertial"),
        .product(name: "UIKitCompatibility", package: "Inertial"),
      ]),
    script("DrawAFigure", "Plotting", "Simulation"),
    script("RunFilters", "Calibration"),
    script("ShakeWeights", "LinearAlgebra", "Signals"),
    script("RecogniserLimits"),
    script("LongScenes", "Simulation", "Studies"),
    script("SyntheticSuite", "Signals", "Simulation", "Studies"),
    script("ReadALog", "Signals"),
    script("VQFColumns"),
    script("TrackACompass", "LinearAlgebra", "Simulation"),
    script("TraceFilter"),
  ]
)
