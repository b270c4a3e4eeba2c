// swift-tools-version: 6.3
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A target of benchmarks, each run by `swift package benchmark --target NAME`.
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
    // Without its default traits: they count allocations and instructions, and need more packages for it.
    .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.0", traits: []),
  ],
  targets: [
    benchmarks("FilterCosts", ["CAllocationCount", "SimulatedLogs"]),
    benchmarks("LinearAlgebraCosts", [.product(name: "LinearAlgebra", package: "Inertial")]),
    benchmarks("Pipeline", ["SimulatedLogs"]),
    benchmarks("Readers", ["SimulatedLogs"]),
    benchmarks("RecogniserCosts"),
    benchmarks(
      "TrackerCosts",
      [.product(name: "Signals", package: "Inertial"), .product(name: "Simulation", package: "Inertial")]),

    // Not by the benchmark command, because its figures are ratios of what runs by turns.
    .executableTarget(
      name: "BesideC",
      dependencies: [
        "CReferenceFilters", "SimulatedLogs", .product(name: "Inertial", package: "Inertial"),
      ],
      swiftSettings: swiftSettings),

    // Readers of damaged logs. `make fuzz` builds it with libFuzzer; as built here it reads inputs again.
    .executableTarget(
      name: "FuzzReaders",
      dependencies: ["CLibFuzzer", "SimulatedLogs", .product(name: "Inertial", package: "Inertial")],
      swiftSettings: swiftSettings),

    // MARK: Parts
    .target(
      name: "SimulatedLogs",
      dependencies: [
        "CBroadFile", "CZipWriting", .product(name: "Inertial", package: "Inertial"),
        .product(name: "Simulation", package: "Inertial"),
      ],
      swiftSettings: swiftSettings),
    // As fast as the machine's own instructions make it: it is what ours is held against.
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
