// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "InertialBenchmarks",
  platforms: [.macOS("26.0")],
  dependencies: [
    .package(name: "Inertial", path: ".."),
    // Without its default traits: they count allocations and instructions, and need more packages for it.
    .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.0", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Pipeline",
      dependencies: [
        .product(name: "Inertial", package: "Inertial"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/Pipeline",
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")],
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ]
)
