/// Waits until a condition is true, for up to a minute, and returns whether it is.
@MainActor func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<60_000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return condition()
}
