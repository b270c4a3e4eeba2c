/// Returns an angle in radians wrapped to (−π, π].
package func wrapped(_ angle: Double) -> Double {
  guard angle > .pi || angle <= -.pi else { return angle }
  let result = angle - 2 * .pi * (angle / (2 * .pi)).rounded()
  return result <= -.pi ? result + 2 * .pi : result
}
