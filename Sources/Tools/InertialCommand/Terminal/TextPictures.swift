/// Returns a timeline of a log with marks, each from one time to another; later marks replace earlier ones.
func timeline(
  from start: Double, to end: Double, width: Int, marks: [(from: Double, to: Double, mark: Character)]
) -> String {
  let (span, count) = (max(end - start, .leastNonzeroMagnitude), max(1, width))
  func column(_ time: Double) -> Int {
    let fraction = (time - start) / span
    return fraction.isFinite ? min(count - 1, max(0, Int(fraction * Double(count)))) : 0
  }
  var characters = [Character](repeating: "·", count: count)
  for (from, to, mark) in marks where column(from) <= column(to) {
    for index in column(from)...column(to) { characters[index] = mark }
  }
  return String(characters)
}

/// Returns numbers as bars with a resolution of an eighth of a character's height: the maximum of the numbers in each
/// part; a blank if a part has no numbers.
///
/// - Parameter minimum: The value of the lowest level, or `nil` for the minimum of the numbers.
func sparkline(_ values: [Double], width: Int, minimum: Double? = nil) -> String {
  let levels = Array("▁▂▃▄▅▆▇█")
  let known = values.filter(\.isFinite)
  guard width > 0, let low = minimum ?? known.min(), let high = known.max() else { return "" }
  let count = min(width, values.count)
  let characters = (0..<count).map { part -> Character in
    let range = part * values.count / count..<max(part * values.count / count + 1, (part + 1) * values.count / count)
    guard let value = values[range].filter(\.isFinite).max() else { return " " }
    // Halved, to avoid an overflow of the difference of the largest numbers.
    let fraction = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0
    return levels[min(7, max(0, Int((fraction * 7).rounded())))]
  }
  return String(characters)
}

/// Returns a number as a bar, with a resolution of an eighth of a character.
func bar(_ value: Double, of maximum: Double, width: Int) -> String {
  guard value.isFinite, value > 0, maximum > 0, width > 0 else { return "" }
  let eighths = Int((min(1, value / maximum) * Double(width) * 8).rounded())
  return String(repeating: "█", count: eighths / 8) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
}
