/// A fault of a container of records.
enum ContainerError: Error {
  case damaged(String)
  case unsupported(String)

  /// - Parameters:
  ///   - file: the kind of the file.
  ///   - recovery: the remedy for a damaged file.
  ///   - conversion: the remedy for a file of a kind that is not read.
  func logError(path: String, file: String, recovery: String, conversion: String) -> LogError {
    switch self {
    case .damaged(let fault):
      LogError(path: path, problem: "this \(file) is truncated or damaged: \(fault)", remedy: recovery)
    case .unsupported(let fault):
      LogError(path: path, problem: "this \(file) cannot be read: \(fault)", remedy: conversion)
    }
  }
}

/// Takes the fields of a record from its bytes, one after the other.
struct ContainerFields {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(ContainerError) -> Number {
    let size = MemoryLayout<Number>.size
    let bytes = try bytes(size)
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }

  /// A text after its length, as MCAP and ROS have it.
  mutating func text() throws(ContainerError) -> String {
    String(decoding: try bytes(Int(try number(UInt32.self))), as: UTF8.self)
  }

  mutating func bytes(_ count: Int) throws(ContainerError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .damaged("a record is shorter than its content") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

/// The bytes of a file in their order, for readers of records: what is taken is at most what the file has.
struct ContainerBytes {
  private let file: InputFile
  private var buffer: [UInt8] = []
  private var start = 0
  private(set) var readCount = 0

  init(_ file: InputFile) { self.file = file }

  var name: String { file.name }

  /// 0 to 1.
  var progress: Double { file.size.map { $0 > 0 ? min(1, Double(readCount) / Double($0)) : 1 } ?? 0 }

  /// Whether nothing is left.
  var isAtEnd: Bool {
    mutating get throws(ContainerError) { buffer.count == start ? try fill(atLeast: 1) == 0 : false }
  }

  /// The next bytes; an error if the file ends before.
  mutating func take(_ count: Int) throws(ContainerError) -> ArraySlice<UInt8> {
    guard let bytes = try takeIfThere(count) else { throw .damaged("it ends too early") }
    return bytes
  }

  /// The next bytes; nil if the file ends before.
  mutating func takeIfThere(_ count: Int) throws(ContainerError) -> ArraySlice<UInt8>? {
    while buffer.count - start < count {
      guard try fill(atLeast: count) > 0 else { return nil }
    }
    defer { start += count }
    return buffer[start..<start + count]
  }

  /// Reads on, a block at a time, as a size that a file states may be no size of it; gives how many bytes came.
  private mutating func fill(atLeast count: Int) throws(ContainerError) -> Int {
    buffer.removeFirst(start)
    start = 0
    let wanted = max(1 << 16, min(count - buffer.count, 1 << 20))
    let old = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: wanted))
    var got = 0
    do throws(LogError) {
      got = try buffer.withUnsafeMutableBufferPointer { bytes throws(LogError) in
        try file.read(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[old...])))
      }
    } catch {
      throw .damaged(error.problem)
    }
    buffer.removeLast(wanted - got)
    readCount += got
    return got
  }
}
