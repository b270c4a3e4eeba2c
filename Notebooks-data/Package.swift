// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "NotebooksData",
  platforms: [.macOS("26.0")],
  dependencies: [.package(name: "Inertial", path: "..")],
  targets: [
    .executableTarget(
      name: "Consistency",
      dependencies: [
        .product(name: "Inertial", package: "Inertial"), .product(name: "Studies", package: "Inertial"),
      ]),
    .executableTarget(
      name: "FaultsAndGaps", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    .executableTarget(name: "TimeFilters", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    .executableTarget(name: "LaneCosts", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    .executableTarget(name: "MakeLogs", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    .executableTarget(
      name: "CompareSolvers", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    // Code for a phone against the compatibility products.
    .executableTarget(
      name: "PhonePrograms",
      dependencies: [
        .product(name: "CoreMotionCompatibility", package: "Inertial"),
        .product(name: "UIKitCompatibility", package: "Inertial"),
      ]),
    .executableTarget(name: "RunFilters", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    .executableTarget(name: "ShakeWeights", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    .executableTarget(
      name: "LongScenes",
      dependencies: [
        .product(name: "Inertial", package: "Inertial"), .product(name: "Studies", package: "Inertial"),
      ]),
    .executableTarget(
      name: "SyntheticSuite",
      dependencies: [
        .product(name: "Inertial", package: "Inertial"), .product(name: "Studies", package: "Inertial"),
      ]),
    .executableTarget(name: "ReadALog", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    .executableTarget(name: "VQFColumns", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    .executableTarget(name: "TrackACompass", dependencies: [.product(name: "Inertial", package: "Inertial")]),
    .executableTarget(name: "TraceFilter", dependencies: [.product(name: "Inertial", package: "Inertial")]),
  ]
)
