// For types with their own `read` or `write`, in which the C library's functions cannot be named without its module.

/// Calls `read(2)`: reads at most `count` bytes into a buffer. Returns 0 at the end, or a negative number with `errno`
/// on failure.
package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

/// Calls `write(2)`: returns the number of written bytes, or a negative number with `errno` on failure.
package func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
