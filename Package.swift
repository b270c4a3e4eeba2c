// swift-tools-version: 6.3
import PackageDescription

// The marks below are the layers, lowest first. Imports point strictly down: a target depends only on targets of lower layers.
// `make lint` compares imports with these marks; in the gate, `--explicit-target-dependency-import-check error` compares them
// with the declared dependencies.

let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

// Tests run against optimised code and are not optimised themselves, which would take as long as all of Sources.
let testSettings =
  swiftSettings + [.unsafeFlags(["-Onone", "-disable-incremental-imports"], .when(configuration: .release))]

/// A module of `Sources`: a folder, excluding subfolders that are other modules.
func module(
  _ name: String, _ path: String, exclude: [String] = [], _ dependencies: [Target.Dependency] = [],
  linkerSettings: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/" + path, exclude: exclude, swiftSettings: swiftSettings,
    linkerSettings: linkerSettings)
}

/// The tests of a folder of `Sources`, in the same folder of `Tests`.
func tests(_ path: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(
    name: path.split(separator: "/").last! + "Tests", dependencies: ["TestSupport"] + dependencies,
    path: "Tests/" + path, resources: resources, swiftSettings: testSettings)
}

let openBLAS: Target.Dependency = .target(name: "CInertialOpenBLAS", condition: .when(platforms: [.linux]))
let hdf5: Target.Dependency = .target(name: "CInertialHDF5", condition: .when(traits: ["HDF5"]))
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")

let package = Package(
  name: "Inertial",
  platforms: [.macOS("26.0")],
  products: [
    // The module for scripts. It re-exports rotations, sensors, logs, filters, fusion, evaluation, navigation, recognition and
    // jobs (Sources/Tools/Inertial/Inertial.swift).
    .library(name: "Inertial", targets: ["Inertial"]),
    // Rotations, sensors, filters and device motion. It needs BLAS and LAPACK, and no C++, HDF5 or zstd.
    .library(
      name: "InertialCore",
      targets: ["InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters", "InertialFusion"]),
    .library(name: "InertialCalibration", targets: ["InertialCalibration"]),
    .library(name: "InertialNavigation", targets: ["InertialNavigation"]),
    .library(name: "InertialRecognition", targets: ["InertialRecognition"]),
    .library(name: "InertialLogs", targets: ["InertialLogs"]),
    .library(name: "InertialLive", targets: ["InertialLive"]),
    // Evaluation, simulation, tuning and Monte Carlo studies of filters.
    .library(name: "InertialResearch", targets: ["InertialEvaluation", "InertialSimulation", "InertialResearch"]),
    // Plots and reports.
    .library(name: "InertialFigures", targets: ["InertialFigures"]),
    .library(name: "CoreMotionCompatibility", targets: ["CoreMotionCompatibility"]),
    // Apple's module name for it, for Linux only.
    .library(name: "CoreMotion", targets: ["CoreMotion"]),
    .library(name: "UIKitCompatibility", targets: ["UIKitCompatibility"]),
    // C functions for other languages, and the command as one of them, with which the Python package is built.
    .library(name: "CInertial", type: .dynamic, targets: ["CInertial", "CInertialCommand"]),
    .executable(name: "inertial", targets: ["InertialProgram"]),
    // The parts of the command that `Serve/` has in common with it.
    .library(
      name: "InertialCommand",
      targets: [
        "InertialSystem", "InertialEssentials", "InertialRecognition", "InertialJobs", "InertialFigures",
        "InertialCommand", "CInertialProgramStart",
      ]),
    // What the tests of `Serve/` have in common with those of this package.
    .library(name: "InertialTestSupport", targets: ["TestSupport"]),
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
    // MARK: Layer 0
    .systemLibrary(
      name: "CInertialOpenBLAS", path: "Sources/Shims/CInertialOpenBLAS", pkgConfig: "openblas",
      providers: [.apt(["libopenblas-dev", "liblapack-dev"])]),
    .systemLibrary(
      name: "CInertialHDF5", path: "Sources/Shims/CInertialHDF5", pkgConfig: "hdf5",
      providers: [.apt(["libhdf5-dev"]), .brew(["hdf5"])]),
    .systemLibrary(
      name: "CInertialCompression", path: "Sources/Shims/CInertialCompression", pkgConfig: "libzstd",
      providers: [.apt(["zlib1g-dev", "libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "CInertialFastFloat", path: "Sources/Shims/CInertialFastFloat"),
    .target(name: "CInertialShims", path: "Sources/Shims/CInertialShims"),
    .target(name: "CInertialProgramStart", path: "Sources/Shims/CInertialProgramStart"),
    // Embedded by #embed, so that a static binary needs no bundle beside it.
    .target(name: "CInertialResources", path: "Sources/Shims/CInertialResources", exclude: ["Data"]),
    // The platform's C library under one name.
    module("InertialSystem", "Shims/System"),
    // The small part of Foundation.
    module("InertialEssentials", "Shims/Essentials"),

    // MARK: Layer 1
    module("InertialRotations", "Numerics/Rotations", ["InertialSystem"]),

    // MARK: Layer 2
    module(
      "InertialNumerics", "Numerics", exclude: ["Rotations"],
      ["InertialSystem", "InertialRotations", "CInertialResources", openBLAS],
      linkerSettings: [
        .linkedFramework("Accelerate", .when(platforms: [.macOS])), .linkedLibrary("m", .when(platforms: [.linux])),
      ]),

    // MARK: Layer 3
    module("InertialSensors", "Sensors", ["InertialSystem", "InertialRotations", "InertialNumerics", deque]),

    // MARK: Layer 4
    module(
      "InertialFilters", "Estimation/Filters",
      ["InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors"]),
    module(
      "InertialNavigation", "Estimation/Navigation",
      ["InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors"]),
    module(
      "InertialCalibration", "Estimation/Calibration",
      ["InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors", "CInertialShims"]),
    module(
      "InertialSimulation", "Research/Simulation",
      ["InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors"]),
    module(
      "InertialEvaluation", "Research/Evaluation",
      ["InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors"]),
    module(
      "InertialLogs", "Logs",
      [
        "InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors", "CInertialFastFloat",
        "CInertialCompression", hdf5,
      ]),

    // MARK: Layer 5
    module(
      "InertialFusion", "Estimation/Fusion",
      [
        "InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters",
        "InertialCalibration", deque,
      ]),

    // MARK: Layer 6
    module(
      "InertialRecognition", "Estimation/Recognition",
      [
        "InertialSystem", "InertialEssentials", "InertialRotations", "InertialNumerics", "InertialSensors",
        "InertialFilters", "InertialFusion", "CInertialResources",
      ]),
    module(
      "InertialLive", "Live/LiveSensors",
      [
        "InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters", "InertialLogs",
        "InertialFusion", deque,
      ]),

    // MARK: Layer 7
    module(
      "InertialJobs", "Tools/Jobs",
      [
        "InertialSystem", "InertialEssentials", "InertialRotations", "InertialNumerics", "InertialSensors",
        "InertialFilters", "InertialCalibration", "InertialSimulation", "InertialEvaluation", "InertialLogs",
        "InertialFusion", "InertialNavigation", "InertialRecognition", "InertialLive",
      ]),
    // Apple's names, no part of `Inertial`, in which they would meet Apple's own.
    module(
      "CoreMotionCompatibility", "Compatibility/CoreMotionCompatibility",
      [
        "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters", "InertialLogs", "InertialFusion",
        "InertialRecognition", "InertialLive", deque,
      ]),

    // MARK: Layer 8
    module(
      "InertialResearch", "Research", exclude: ["Simulation", "Evaluation"],
      [
        "InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters",
        "InertialSimulation", "InertialEvaluation", "InertialFusion", "InertialJobs",
      ]),
    module(
      "InertialFigures", "Tools/Figures",
      [
        "InertialSystem", "InertialEssentials", "InertialRotations", "InertialNumerics", "InertialSensors",
        "InertialFilters", "InertialCalibration", "InertialEvaluation", "InertialLogs", "InertialFusion",
        "InertialNavigation", "InertialRecognition", "InertialJobs", "CInertialResources",
      ]),
    module(
      "Inertial", "Tools/Inertial",
      [
        "InertialRotations", "InertialSensors", "InertialFilters", "InertialLogs", "InertialFusion",
        "InertialEvaluation", "InertialNavigation", "InertialRecognition", "InertialJobs",
      ]),
    module("CInertial", "Tools/CInertial", ["InertialSystem", "InertialLogs", "InertialJobs"]),
    module("CoreMotion", "Compatibility/CoreMotion", ["CoreMotionCompatibility"]),
    // The part of UIKit and AudioToolbox that has to do with motion: shakes, the old accelerometer, haptics.
    module(
      "UIKitCompatibility", "Compatibility/UIKitCompatibility",
      ["InertialLive", "InertialRecognition", "CoreMotionCompatibility"]),

    // MARK: Layer 9
    module(
      "InertialCommand", "Tools/InertialCommand",
      [
        "InertialSystem", "InertialEssentials", "Inertial", "InertialNumerics", "InertialCalibration",
        "InertialSimulation", "InertialLive", "InertialResearch", "InertialFigures", "CInertialShims",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // MARK: Layer 10
    .executableTarget(
      name: "InertialProgram", dependencies: ["InertialCommand", "CInertialProgramStart"],
      path: "Sources/Tools/InertialProgram", swiftSettings: swiftSettings),
    module("CInertialCommand", "Tools/CInertialCommand", ["InertialSystem", "InertialCommand"]),

    // MARK: Tests
    .target(
      name: "TestSupport", dependencies: ["InertialRotations", "InertialNumerics"], path: "Tests/Support/TestSupport",
      swiftSettings: testSettings),
    // Counts calls of BLAS and LAPACK by the tests.
    .target(name: "CBLASCalls", path: "Tests/Support/CBLASCalls"),
    .systemLibrary(
      name: "CZip", path: "Tests/Support/CZip", pkgConfig: "libzip",
      providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
    // Started by CoreMotionCompatibilityTests, as a test has no main thread.
    .executableTarget(
      name: "MainQueueApp", dependencies: ["CoreMotionCompatibility"], path: "Tests/Support/MainQueueApp",
      swiftSettings: testSettings),

    // Compares the outputs of filters and trackers with those of another version: `make check WHAT=traces`.
    .executableTarget(
      name: "ExactTraces",
      dependencies: [
        "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters", "InertialSimulation",
        "InertialNavigation", "InertialRecognition",
      ],
      path: "Tests/Support/ExactTraces", swiftSettings: swiftSettings),

    tests("Numerics/Rotations", ["InertialRotations", "InertialNumerics"]),
    tests("Numerics/LinearAlgebra", ["InertialNumerics"]),
    tests("Numerics/ErrorState", ["InertialNumerics"]),
    tests("Numerics/Signals", ["InertialNumerics"]),
    tests("Numerics/Geomagnetism", ["InertialNumerics"], resources: [.copy("Fixtures")]),
    tests("Sensors", ["InertialRotations", "InertialNumerics", "InertialSensors", "InertialSimulation"]),
    tests("Logs/Parquet", ["InertialLogs"]),
    tests(
      "Logs/MotionLogs",
      [
        "InertialRotations", "InertialNumerics", "InertialSensors", "InertialLogs", "InertialLive", "CZip",
        hdf5,
      ]),
    tests(
      "Estimation/Filters/AttitudeSolvers", ["InertialRotations", "InertialNumerics", "InertialFilters"]),
    tests(
      "Estimation/Filters/AttitudeFilters",
      [
        "InertialSystem", "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters",
        "InertialSimulation", "CBLASCalls",
      ]),
    tests(
      "Estimation/Fusion",
      [
        "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters", "InertialSimulation",
        "InertialFusion",
      ]),
    tests(
      "Estimation/Calibration",
      [
        "InertialRotations", "InertialNumerics", "InertialCalibration", "InertialSimulation", "InertialSensors",
        "CBLASCalls",
      ]),
    tests(
      "Estimation/Navigation",
      ["InertialRotations", "InertialNumerics", "InertialSensors", "InertialSimulation", "InertialNavigation"]),
    tests(
      "Estimation/Recognition",
      [
        "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters", "InertialSimulation",
        "InertialRecognition",
      ]),
    tests("Research/Simulation", ["InertialRotations", "InertialNumerics", "InertialSensors", "InertialSimulation"]),
    tests("Research/Evaluation", ["InertialRotations", "InertialNumerics", "InertialSensors", "InertialEvaluation"]),
    tests(
      "Research/Tuning",
      [
        "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters", "InertialSimulation",
        "InertialFusion", "InertialEvaluation", "InertialResearch",
      ]),
    tests("Research/Studies", ["Inertial", "InertialNumerics", "InertialSimulation", "InertialResearch"]),
    tests(
      "Live/LiveSensors",
      [
        "InertialRotations", "InertialNumerics", "InertialSensors", "InertialFilters", "InertialSimulation",
        "InertialLogs", "InertialFusion", "InertialLive",
      ]),
    tests(
      "Compatibility/CoreMotionCompatibility",
      [
        "InertialRotations", "InertialNumerics", "InertialFilters", "InertialSimulation", "InertialFusion",
        "InertialRecognition", "CoreMotionCompatibility", "CoreMotion",
      ]),
    tests(
      "Compatibility/UIKitCompatibility",
      ["InertialRotations", "InertialSensors", "InertialLive", "InertialSimulation", "UIKitCompatibility"]),
    tests(
      "Tools/Jobs",
      [
        "Inertial", "InertialNumerics", "InertialCalibration", "InertialSimulation", "InertialLive", "InertialResearch",
        "InertialFigures", "CoreMotionCompatibility",
      ], resources: [.copy("Golden")]),
    tests("Tools/Figures/Plotting", ["InertialNumerics", "InertialFigures", "CInertialCompression"]),
    tests(
      "Tools/Figures/Report", ["Inertial", "InertialSimulation", "InertialFigures"],
      resources: [.copy("Browser")]),
    tests(
      "Tools/InertialCommand",
      [
        "InertialSystem", "Inertial", "InertialNumerics", "InertialCalibration", "InertialSimulation", "InertialLive",
        "InertialResearch", "InertialFigures", "InertialCommand",
      ]),
  ],
  cxxLanguageStandard: .cxx17
)
