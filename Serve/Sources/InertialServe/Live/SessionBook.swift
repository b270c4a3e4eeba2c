/// The sessions that have ended recently, so that one that continues also continues its recording, and the number of
/// new sessions of each address, which is limited: each one creates a recording.
struct SessionBook {
  struct Key: Hashable {
    var device: String
    var session: String
  }

  /// A session that has ended: its recording, unless it is closed, and its messages.
  struct Ended {
    var file: RecordingFile?
    var known: KnownMessages
  }

  private var ended: [Key: Ended] = [:]
  private var order: [Key] = []
  private var allowances: [String: (tokens: Double, time: Double)] = [:]
  private static let maximumCount = 64

  func contains(_ key: Key) -> Bool { ended[key] != nil }

  /// Keeps a session that has ended; the oldest one is forgotten.
  mutating func keep(_ session: Ended, as key: Key) {
    if ended.updateValue(session, forKey: key) == nil { order.append(key) }
    if order.count > Self.maximumCount { ended[order.removeFirst()] = nil }
  }

  /// Removes and returns a session that continues.
  mutating func take(_ key: Key) -> Ended? {
    order.removeAll { $0 == key }
    return ended.removeValue(forKey: key)
  }

  /// Closes the recordings: sessions that continue begin new ones.
  mutating func closeFiles() { for key in order { ended[key]?.file = nil } }

  /// Notes the beginning of a session by an address, or returns the time to wait, in whole seconds.
  mutating func begin(of peer: String, now: Double) -> Int? {
    let limit = LiveOptions.newSessions
    if allowances.count > 256 { allowances = allowances.filter { now - $0.value.time < limit.burst / limit.rate } }
    var (tokens, time) = allowances[peer] ?? (limit.burst, now)
    (tokens, time) = (min(limit.burst, tokens + (now - time) * limit.rate), now)
    let isAdmitted = tokens >= 1
    allowances[peer] = (isAdmitted ? tokens - 1 : tokens, time)
    return isAdmitted ? nil : Int(((1 - tokens) / limit.rate).rounded(.up))
  }
}
