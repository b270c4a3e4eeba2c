/// Returns the argument of a function's only minimum in an interval, by golden-section search: the middle of an interval
/// of at most `tolerance` that contains it (Kiefer, "Sequential minimax search for a maximum", Proceedings of the AMS 4
/// (1953)).
package func goldenSectionMinimum(
  in interval: ClosedRange<Double>, tolerance: Double, of function: (Double) -> Double
) -> Double {
  let ratio = (5.0.squareRoot() - 1) / 2
  var (a, b) = (interval.lowerBound, interval.upperBound)
  var (left, right) = (b - ratio * (b - a), a + ratio * (b - a))
  var (leftValue, rightValue) = (function(left), function(right))
  while b - a > tolerance {
    if leftValue < rightValue {
      (b, right, rightValue) = (right, left, leftValue)
      left = b - ratio * (b - a)
      leftValue = function(left)
    } else {
      (a, left, leftValue) = (left, right, rightValue)
      right = a + ratio * (b - a)
      rightValue = function(right)
    }
  }
  return (a + b) / 2
}
