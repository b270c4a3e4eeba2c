// swift-tools-version: 6.3
import PackageDescription

// The layers, lowest first. Imports point strictly down: a target may depend only on
// targets of lower layers (checked by `make lint` and by
// `--explicit-target-dependency-import-check error` in CI).

// Sound levels of FLAC, Ogg Vorbis, Opus, MP3, ALAC and AIFF files; make sets it where libsndfile is installed. No trait: the
// order in which SwiftPM 6.3 passes two of them changes from call to call, and everything is compiled again.
let hasSndfile = Context.environment["INERTIAL_SNDFILE"] == "1"

// `make install` builds for use: nothing for tests, and the command as small as it can be. So does `make python-library`, for
// programs of others.
let isForUse = Context.environment["INERTIAL_FOR_USE"] == "1"

let swiftSettings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
  ] + (hasSndfile ? [.define("CompressedSound")] : []) + (isForUse ? [.define("WITHOUT_RUN_LOOP")] : [])

// Tests run against optimised code, and are not optimised themselves: that would take as long as all of Sources.
// Nor is the command, which reads options and prints: what takes time is in the libraries.
let unoptimizedSettings =
  swiftSettings + [.unsafeFlags(["-Onone", "-disable-incremental-imports"], .when(configuration: .release))]

let commandSettings =
  isForUse
  ? swiftSettings + [.unsafeFlags(["-Osize"], .when(configuration: .release))] : unoptimizedSettings

// What is built for use is also downloaded: what hardly a sample passes through is made small.
let smallSettings = isForUse ? commandSettings : swiftSettings

// The folder of a target's sources, and of its tests, below `Sources` and `Tests`.
let folders = [
  "Sensors": "Sensors",
  "COpenBLAS": "Shims/COpenBLAS",
  "CHDF5": "Shims/CHDF5",
  "CSndfile": "Shims/CSndfile",
  "CZip": "Shims/CZip",
  "CZlib": "Shims/CZlib",
  "CZstd": "Shims/CZstd",
  "CFastFloat": "Shims/CFastFloat",
  "CDifferences": "Shims/CDifferences",
  "CProcessStart": "Shims/CProcessStart",
  "CProgramStart": "Shims/CProgramStart",
  "CResources": "Shims/CResources",
  "SystemLibrary": "Shims/SystemLibrary",
  "Essentials": "Shims/Essentials",
  "Vectors": "Numerics/Vectors",
  "LinearAlgebra": "Numerics/LinearAlgebra",
  "Rotations": "Numerics/Rotations",
  "Signals": "Numerics/Signals",
  "Geomagnetism": "Numerics/Geomagnetism",
  "MotionLogs": "Logs/MotionLogs",
  "Parquet": "Logs/Parquet",
  "AttitudeSolvers": "Estimation/AttitudeSolvers",
  "AttitudeFilters": "Estimation/AttitudeFilters",
  "DeviceMotionEstimation": "Estimation/Fusion",
  "Calibration": "Estimation/Calibration",
  "Navigation": "Estimation/Navigation",
  "Recognition": "Estimation/Recognition",
  "Simulation": "Research/Simulation",
  "Evaluation": "Research/Evaluation",
  "Tuning": "Research/Tuning",
  "Studies": "Research/Studies",
  "LiveSensors": "Live/LiveSensors",
  "WebServer": "Live/WebServer",
  "LiveServer": "Live/LiveServer",
  "CoreMotionCompatibility": "Compatibility/CoreMotionCompatibility",
  "UIKitCompatibility": "Compatibility/UIKitCompatibility",
  "FusionPipeline": "Tools/Jobs",
  "Plotting": "Tools/Plotting",
  "Report": "Tools/Report",
  "InertialCommand": "Tools/InertialCommand",
  "InertialProgram": "Tools/InertialProgram",
  "CInertial": "Tools/CInertial",
  "Inertial": "Tools/Inertial",
]

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], linkerSettings: [LinkerSetting] = [],
  settings: [SwiftSetting] = swiftSettings
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folders[name]!)", swiftSettings: settings,
    linkerSettings: linkerSettings)
}

// `make test ONLY=Recognition` builds one target's tests and what they stand on, and nothing else.
let onlyTests = Context.environment["INERTIAL_ONLY_TESTS"]

let sndfile: [Target.Dependency] = hasSndfile ? ["CSndfile"] : []

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: ["TestSupport"] + dependencies, path: "Tests/\(folders[name]!)",
    resources: resources, swiftSettings: unoptimizedSettings)
}

let package = Package(
  name: "Inertial",
  platforms: [.macOS("26.0")],
  products: [
    .library(name: "Inertial", targets: ["Inertial"]),
    // What `import Inertial` does not bring: for those who ask for it by name.
    .library(name: "LinearAlgebra", targets: ["LinearAlgebra"]),
    .library(name: "Signals", targets: ["Signals"]),
    .library(name: "Geomagnetism", targets: ["Geomagnetism"]),
    .library(name: "Calibration", targets: ["Calibration"]),
    .library(name: "Simulation", targets: ["Simulation"]),
    .library(name: "LiveSensors", targets: ["LiveSensors"]),
    .library(name: "Tuning", targets: ["Tuning"]),
    .library(name: "Plotting", targets: ["Plotting"]),
    .library(name: "Report", targets: ["Report"]),
    .library(name: "CoreMotionCompatibility", targets: ["CoreMotionCompatibility"]),
    .library(name: "UIKitCompatibility", targets: ["UIKitCompatibility"]),
    // Monte Carlo studies of filters, for the programs of Notebooks-data.
    .library(name: "Studies", targets: ["Studies"]),
    .executable(name: "inertial", targets: ["InertialProgram"]),
    // For other languages, by C's functions; the Python package holds it.
    .library(name: "CInertial", type: .dynamic, targets: ["CInertial"]),
  ],
  traits: [
    .trait(name: "HDF5", description: "Read HDF5 recordings (BROAD). Needs libhdf5."),
    .default(enabledTraits: ["HDF5"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.2.0"),
  ],
  targets: [
    // MARK: Layer 0: shims
    .systemLibrary(
      name: "COpenBLAS", path: "Sources/Shims/COpenBLAS", pkgConfig: "openblas",
      providers: [.apt(["libopenblas-dev", "liblapack-dev"])]),
    .systemLibrary(
      name: "CHDF5", path: "Sources/Shims/CHDF5", pkgConfig: "hdf5",
      providers: [.apt(["libhdf5-dev"]), .brew(["hdf5"])]),
    .systemLibrary(
      name: "CSndfile", path: "Sources/Shims/CSndfile", pkgConfig: "sndfile",
      providers: [.apt(["libsndfile1-dev"]), .brew(["libsndfile"])]),
    .systemLibrary(
      name: "CZip", path: "Sources/Shims/CZip", pkgConfig: "libzip",
      providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/Shims/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CZstd", path: "Sources/Shims/CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "CFastFloat", path: "Sources/Shims/CFastFloat"),
    .target(name: "CDifferences", path: "Sources/Shims/CDifferences"),
    .target(name: "CProcessStart", path: "Sources/Shims/CProcessStart"),
    .target(name: "CProgramStart", path: "Sources/Shims/CProgramStart"),
    // By #embed, so that a static binary needs no bundle beside it.
    .target(name: "CResources", path: "Sources/Shims/CResources", exclude: ["Data"]),
    // The platform's C library under one name.
    library("SystemLibrary"),
    // Of Foundation what is small.
    library("Essentials"),

    // MARK: Layers 1 and 2
    library("WebServer", ["SystemLibrary"], settings: smallSettings),
    library("Vectors", ["SystemLibrary"]),
    library(
      "LinearAlgebra",
      ["SystemLibrary", "Vectors", .target(name: "COpenBLAS", condition: .when(platforms: [.linux]))],
      linkerSettings: [
        .linkedFramework("Accelerate", .when(platforms: [.macOS])),
        .linkedLibrary("m", .when(platforms: [.linux])),
      ]),
    library("Parquet", ["CZstd"]),

    // MARK: Layer 3
    library("Rotations", ["SystemLibrary", "LinearAlgebra"]),
    library("Signals", ["SystemLibrary", "LinearAlgebra"]),

    // MARK: Layer 4
    library(
      "Sensors",
      ["SystemLibrary", "LinearAlgebra", "Rotations", .product(name: "DequeModule", package: "swift-collections")]),
    library("Geomagnetism", ["SystemLibrary", "LinearAlgebra", "CResources"], settings: smallSettings),
    library("AttitudeSolvers", ["SystemLibrary", "LinearAlgebra", "Rotations"]),

    // MARK: Layer 5
    library(
      "AttitudeFilters",
      ["SystemLibrary", "LinearAlgebra", "Rotations", "Signals", "Sensors", "AttitudeSolvers"]),
    library(
      "Calibration", ["SystemLibrary", "LinearAlgebra", "Rotations", "Signals", "Sensors", "CDifferences"],
      settings: smallSettings),
    library(
      "Simulation", ["SystemLibrary", "LinearAlgebra", "Rotations", "Signals", "Sensors"], settings: smallSettings),
    library(
      "MotionLogs",
      [
        "SystemLibrary", "LinearAlgebra", "Rotations", "Sensors", "Geomagnetism", "CFastFloat", "CZlib", "Parquet",
        "WebServer",
        .target(name: "CHDF5", condition: .when(traits: ["HDF5"])),
      ] + sndfile),

    // MARK: Layer 6
    library(
      "DeviceMotionEstimation",
      [
        "SystemLibrary", "LinearAlgebra", "Rotations", "Sensors", "AttitudeFilters", "Calibration",
        .product(name: "DequeModule", package: "swift-collections"),
      ]),
    library("Navigation", ["SystemLibrary", "LinearAlgebra", "Rotations"]),
    library("Plotting", ["SystemLibrary", "MotionLogs", "CResources"], settings: smallSettings),
    library(
      "Evaluation", ["SystemLibrary", "LinearAlgebra", "Rotations", "Signals", "Sensors"], settings: smallSettings),

    // MARK: Layer 7
    library(
      "LiveSensors",
      [
        "SystemLibrary", "Sensors", "Geomagnetism", "AttitudeFilters", "MotionLogs", "DeviceMotionEstimation",
        .product(name: "DequeModule", package: "swift-collections"),
      ], settings: smallSettings),
    library(
      "Recognition",
      [
        "Essentials",
        "SystemLibrary", "LinearAlgebra", "Rotations", "Signals", "Sensors", "DeviceMotionEstimation", "CResources",
      ], settings: smallSettings),

    // MARK: Layer 8
    library(
      "FusionPipeline",
      [
        "Essentials",
        "SystemLibrary", "LinearAlgebra", "Rotations", "Signals", "Sensors", "Geomagnetism", "AttitudeFilters",
        "Calibration", "Simulation", "MotionLogs", "DeviceMotionEstimation", "Evaluation", "LiveSensors", "Recognition",
        "Navigation", "Plotting",
      ]),

    library(
      "Tuning",
      [
        "SystemLibrary", "LinearAlgebra", "Rotations", "Signals", "Sensors", "AttitudeFilters",
        "DeviceMotionEstimation",
        "Evaluation",
      ], settings: smallSettings),

    // Apple's names; no part of the umbrella, as there they would meet Apple's own.
    library(
      "CoreMotionCompatibility",
      [
        "LinearAlgebra", "Rotations", "Sensors", "Geomagnetism", "AttitudeFilters", "MotionLogs",
        "DeviceMotionEstimation", "LiveSensors", "Recognition",
        .product(name: "DequeModule", package: "swift-collections"),
      ]),

    // MARK: Layers 9 and 10
    // No part of the umbrella: only scripts and tests use it.
    library(
      "Studies",
      [
        "LinearAlgebra", "Rotations", "Signals", "Sensors", "AttitudeFilters", "Simulation", "Evaluation",
        "FusionPipeline",
      ]),
    library(
      "Report",
      [
        "SystemLibrary", "Essentials",
        "LinearAlgebra", "Rotations", "Sensors", "Geomagnetism", "AttitudeFilters", "MotionLogs",
        "DeviceMotionEstimation", "Evaluation", "Recognition", "FusionPipeline", "CResources", "CZlib",
      ], settings: smallSettings),
    // What `inertial serve` does; no part of the umbrella, and no product.
    library(
      "LiveServer",
      [
        "SystemLibrary", "Essentials", "WebServer", "Sensors", "Rotations", "MotionLogs", "DeviceMotionEstimation",
        "LiveSensors", "Recognition", "FusionPipeline", "Report", "CResources",
      ], settings: smallSettings),
    library(
      "Inertial",
      [
        "Vectors", "Rotations", "Sensors", "AttitudeFilters", "AttitudeSolvers", "MotionLogs", "DeviceMotionEstimation",
        "Evaluation",
        "Navigation", "Recognition", "FusionPipeline",
      ]),
    // Of UIKit and AudioToolbox what has to do with motion: shakes, the old accelerometer, haptics.
    library("UIKitCompatibility", ["LiveSensors", "Recognition", "CoreMotionCompatibility"]),
    .target(
      name: "InertialCommand",
      dependencies: [
        "SystemLibrary", "Essentials", "Inertial", "LinearAlgebra", "Signals", "Geomagnetism", "Calibration",
        "Simulation", "LiveSensors", "Tuning", "Plotting", "Report", "LiveServer", "WebServer", "CProcessStart",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Tools/InertialCommand", swiftSettings: commandSettings),
    .executableTarget(
      name: "InertialProgram", dependencies: ["InertialCommand", "CProgramStart"],
      path: "Sources/Tools/InertialProgram", swiftSettings: commandSettings),
    library("CInertial", ["SystemLibrary", "MotionLogs", "FusionPipeline", "InertialCommand"]),

    // MARK: Tests
    .target(
      name: "TestSupport", dependencies: ["LinearAlgebra", "Rotations", "Signals"],
      path: "Tests/Support/TestSupport", swiftSettings: unoptimizedSettings),
    // Stands before BLAS and LAPACK in the tests and counts their calls.
    .target(name: "CBLASCalls", path: "Tests/Support/CBLASCalls"),
    // What CoreMotionCompatibilityTests starts, as a test has no main thread.
    .executableTarget(
      name: "MainQueueApp", dependencies: ["CoreMotionCompatibility"], path: "Tests/Support/MainQueueApp",
      swiftSettings: unoptimizedSettings),
    tests("WebServer", ["SystemLibrary", "WebServer"]),
    tests(
      "LiveServer",
      [
        "SystemLibrary", "Inertial", "Signals", "Simulation", "LiveSensors", "WebServer", "Report", "LiveServer",
      ]),
    tests("LinearAlgebra", ["LinearAlgebra"]),
    tests("Parquet", ["Parquet"]),
    tests("Rotations", ["LinearAlgebra", "Rotations", "Signals"]),
    tests("Signals", ["LinearAlgebra", "Signals"]),
    tests("Sensors", ["LinearAlgebra", "Rotations", "Signals", "Sensors", "Simulation"]),
    tests("Geomagnetism", ["LinearAlgebra", "Signals", "Geomagnetism"], resources: [.copy("Fixtures")]),
    tests(
      "AttitudeFilters",
      [
        "SystemLibrary", "LinearAlgebra", "Rotations", "Signals", "Sensors", "AttitudeSolvers", "AttitudeFilters",
        "Simulation", "CBLASCalls",
      ]),
    tests("AttitudeSolvers", ["LinearAlgebra", "Rotations", "Signals", "AttitudeSolvers"]),
    tests(
      "Calibration",
      ["LinearAlgebra", "Rotations", "Signals", "Calibration", "Simulation", "Sensors", "CBLASCalls"]),
    tests("Simulation", ["LinearAlgebra", "Rotations", "Sensors", "Simulation"]),
    tests(
      "MotionLogs",
      [
        "LinearAlgebra", "Rotations", "Signals", "Sensors", "MotionLogs", "CZip", "CZlib",
        .target(name: "CHDF5", condition: .when(traits: ["HDF5"])),
      ] + sndfile),
    tests(
      "DeviceMotionEstimation",
      [
        "LinearAlgebra", "Rotations", "Sensors", "AttitudeFilters", "Simulation", "DeviceMotionEstimation",
      ]),
    tests(
      "LiveSensors",
      [
        "LinearAlgebra", "Sensors", "Geomagnetism", "AttitudeFilters", "Simulation", "MotionLogs",
        "DeviceMotionEstimation", "LiveSensors",
      ]),
    tests("Evaluation", ["LinearAlgebra", "Rotations", "Signals", "Sensors", "Evaluation"]),
    tests("Navigation", ["LinearAlgebra", "Rotations", "Signals", "Simulation", "Navigation"]),
    tests("Plotting", ["Signals", "Plotting"]),
    tests("Recognition", ["LinearAlgebra", "Rotations", "Signals", "Sensors", "Simulation", "Recognition"]),
    tests(
      "Tuning",
      [
        "LinearAlgebra", "Rotations", "Signals", "Sensors", "AttitudeFilters", "Simulation",
        "DeviceMotionEstimation", "Evaluation", "Tuning",
      ]),
    tests(
      "CoreMotionCompatibility",
      [
        "LinearAlgebra", "Rotations", "AttitudeFilters", "Simulation", "DeviceMotionEstimation", "Recognition",
        "CoreMotionCompatibility",
      ]),
    tests("UIKitCompatibility", ["Sensors", "LiveSensors", "Simulation", "UIKitCompatibility"]),
    tests(
      "FusionPipeline",
      [
        "Inertial", "LinearAlgebra", "Signals", "Geomagnetism", "Calibration", "Simulation", "LiveSensors", "Tuning",
        "Plotting", "CoreMotionCompatibility",
      ], resources: [.copy("Golden")]),
    tests("Report", ["Inertial", "Simulation", "Report", "CZlib"], resources: [.copy("Browser")]),
    tests("Studies", ["Inertial", "LinearAlgebra", "Signals", "Simulation", "Studies"]),
    tests(
      "InertialCommand",
      [
        "SystemLibrary", "Inertial", "LinearAlgebra", "Signals", "Geomagnetism", "Calibration", "Simulation",
        "LiveSensors", "Tuning", "Plotting", "Report", "InertialCommand",
      ]),
  ].filter { $0.type != .test || onlyTests == nil || $0.name == onlyTests! + "Tests" },
  cxxLanguageStandard: .cxx17
)
