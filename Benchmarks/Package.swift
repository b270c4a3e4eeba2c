// swift-tools-version: 6.3
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Returns a target of benchmarks, run by `swift package benchmark --target NAME`.
func benchmarks(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      .product(name: "Inertial", package: "Inertial"), .product(name: "Benchmark", package: "benchmark"),
    ] + dependencies,
    path: "Benchmarks/\(name)", swiftSettings: swiftSettings,
    plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

let package = Package(
  name: "InertialBenchmarks",
  platforms: [.macOS("26.0")],
  dependencies: [
    .package(name: "Inertial", path: ".."),
    // Without the default traits, which count allocations and instructions and need more packages.
    .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.0", traits: []),
  ],
  targets: [
    benchmarks("FilterCosts", ["CAllocationCount", "SimulatedLogs"]),
    benchmarks("LinearAlgebraCosts", [.product(name: "InertialCore", package: "Inertial")]),
    benchmarks("Pipeline", ["SimulatedLogs"]),
    benchmarks("Readers", ["SimulatedLogs"]),
    benchmarks("RecogniserCosts"),
    benchmarks(
      "TrackerCosts",
      [.product(name: "InertialCore", package: "Inertial"), .product(name: "InertialResearch", package: "Inertial")]),

    // Not run by the benchmark command, because its figures are ratios of alternating runs.
    .executableTarget(
      name: "BesideC",
      dependencies: [
        "CReferenceFilters", "SimulatedLogs", .product(name: "Inertial", package: "Inertial"),
      ],
      swiftSettings: swiftSettings),

    // Readers of damaged logs. `make stress WHAT=fuzz` builds it with libFuzzer; the plain build replays inputs.
    .executableTarget(
      name: "FuzzReaders",
      dependencies: [
        "CLibFuzzer", "SimulatedLogs", .product(name: "Inertial", package: "Inertial"),
        .product(name: "InertialLive", package: "Inertial"),
      ],
      swiftSettings: swiftSettings),

    // MARK: Parts
    .target(
      name: "SimulatedLogs",
      dependencies: [
        "CBroadFile", "CZipWriting", .product(name: "Inertial", package: "Inertial"),
        .product(name: "InertialResearch", package: "Inertial"),
      ],
      swiftSettings: swiftSettings),
    // Compiled with the machine's native instructions, as the reference of the comparison.
    .target(name: "CReferenceFilters", cSettings: [.unsafeFlags(["-O3", "-march=native"])]),
    .target(name: "CAllocationCount"),
    .target(name: "CLibFuzzer"),
    .target(name: "CBroadFile", dependencies: ["CHDF5Writing"]),
    .systemLibrary(
      name: "CHDF5Writing", pkgConfig: "hdf5", providers: [.apt(["libhdf5-dev"]), .brew(["hdf5"])]),
    .systemLibrary(
      name: "CZipWriting", pkgConfig: "libzip", providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
  ]
)
