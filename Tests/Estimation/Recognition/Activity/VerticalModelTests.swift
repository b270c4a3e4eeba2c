import InertialNumerics
import Testing

@testable import InertialRecognition

@Suite("Vertical model")
struct VerticalModelTests {
  private static var start: ErrorKalman {
    var kalman = ErrorKalman(VerticalState.layout)
    for row in 0..<4 {
      for column in 0...row {
        kalman[row, column] = row == column ? 1 + Double(row) : 0.1 * Double(1 + row) * Double(1 + column)
      }
    }
    return kalman
  }

  static let models = [0.0, 0.4, 3].flatMap { lag in
    [true, false].map { (isDriven: Bool) in
      VerticalModel(lag: lag, accelerationDensity: 0.25, biasDensity: 5e-3, isDriven: isDriven)
    }
  }

  private func difference(_ a: ErrorKalman, _ b: ErrorKalman) -> Double {
    var largest = 0.0
    for row in 0..<4 { for column in 0..<4 { largest = max(largest, abs(a[row, column] - b[row, column])) } }
    return largest
  }

  @Test("equation 5: the transition of the covariance equals that of the state", arguments: models, 0..<4)
  func transition(_ model: VerticalModel, _ index: Int) {
    var model = model
    (model.accelerationDensity, model.biasDensity) = (0, 0)
    for time in [0.01, 0.3, 1, 7] {
      // A covariance with one error: afterwards, it is f fᵀ with the change f of the state by that error.
      var kalman = ErrorKalman(VerticalState.layout)
      kalman[index, index] = 1
      var (state, error) = (VerticalState(altitude: 0, lagged: 0), ErrorValues())
      error[index] = 1
      state.correct(by: error)
      model.propagate(&state, over: time)
      model.propagate(&kalman, over: time)
      let f = [state.altitude, state.speed, state.bias, state.lagged]
      for row in 0..<4 {
        // Without a lag, a small process noise keeps the last state regular.
        for column in 0..<4 { #expect(abs(kalman[row, column] - f[row] * f[column]) < 1e-9 + 1.01e-8 * time) }
      }
    }
  }

  @Test("one step of a second equals a thousand short steps", arguments: models)
  func noise(_ model: VerticalModel) {
    var (once, stepwise) = (Self.start, Self.start)
    model.propagate(&once, over: 1)
    for _ in 0..<1000 { model.propagate(&stepwise, over: 1e-3) }
    #expect(difference(once, stepwise) < (model.lag == 0 ? 1e-7 : 1e-4), "\(model)")
    #expect(once[0, 0] > Self.start[0, 0] && once[1, 1] > Self.start[1, 1])
  }

  @Test("the variances of altitude and speed match the covariance", arguments: models)
  func variances(_ model: VerticalModel) {
    for time in [0.0, 0.01, 1, 20] {
      var carried = Self.start
      if time > 0 { model.propagate(&carried, over: time) }
      let (altitude, speed) = model.variances(Self.start, after: time)
      #expect(abs(altitude - carried[0, 0]) <= 1e-12 * carried[0, 0])
      #expect(abs(speed - carried[1, 1]) <= 1e-12 * carried[1, 1])
    }
  }
}
