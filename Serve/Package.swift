// swift-tools-version: 6.3
import PackageDescription

// The server of `inertial serve`. It is a separate package, so that users of the library and of the other commands build neither
// SwiftNIO nor TLS. No other package depends on it, and it is compiled as a part of Inertial, whose `package` symbols it uses.

/// Inertial's name for the compiler: that of its folder, as SwiftPM makes it.
let folder = Context.packageDirectory.split(separator: "/").dropLast().last ?? ""
let name = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
let packageName = name.first?.isNumber == true ? "_" + name.dropFirst() : name

let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("ExistentialAny"),
  .unsafeFlags(["-package-name", packageName]),
]

func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

func inertial(_ name: String) -> Target.Dependency { .product(name: name, package: "Inertial") }

let package = Package(
  name: "InertialServe",
  platforms: [.macOS("26.0")],
  products: [.executable(name: "inertial-serve", targets: ["ServeProgram"])],
  dependencies: [
    .package(name: "Inertial", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ],
  targets: [
    .systemLibrary(
      name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .target(
      name: "InertialServe",
      dependencies: [
        "CQRCode", inertial("Inertial"), inertial("InertialCore"), inertial("InertialLogs"), inertial("InertialLive"),
        inertial("InertialFigures"), inertial("InertialCommand"), nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
        nio("NIOTLS"), nio("NIOWebSocket"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], packageAccess: false, swiftSettings: swiftSettings),
    .executableTarget(
      name: "ServeProgram", dependencies: ["InertialServe", inertial("InertialCommand")], packageAccess: false,
      swiftSettings: swiftSettings),
    .testTarget(
      name: "InertialServeTests",
      dependencies: [
        "InertialServe", inertial("InertialTestSupport"), inertial("InertialResearch"), inertial("inertial"),
      ], packageAccess: false, swiftSettings: swiftSettings),
  ]
)
