import InertialNumerics
import Testing

@testable import InertialRecognition

@Suite("Vertical model")
struct VerticalModelTests {
  private static let start = FixedMatrix<4, 4> { row, column in
    row == column ? 1 + Double(row) : 0.1 * Double(1 + row) * Double(1 + column)
  }

  static let models = [0.0, 0.4, 3].flatMap { lag in
    [true, false].map { (isDriven: Bool) in
      VerticalModel(lag: lag, accelerationDensity: 0.25, biasDensity: 5e-3, isDriven: isDriven)
    }
  }

  private func difference(_ a: FixedMatrix<4, 4>, _ b: FixedMatrix<4, 4>) -> Double {
    var largest = 0.0
    for row in 0..<4 { for column in 0..<4 { largest = max(largest, abs(a[row, column] - b[row, column])) } }
    return largest
  }

  @Test("without noise, the covariance equals that of the general prediction", arguments: models)
  func transition(_ model: VerticalModel) {
    var model = model
    (model.accelerationDensity, model.biasDensity) = (0, 0)
    for time in [0.01, 0.3, 1, 7] {
      var (short, general) = (Self.start, Self.start)
      model.carry(&short, over: time)
      FixedKalman.predict(&general, transition: model.transition(time), processNoise: FixedMatrix(), on: .blas)
      // Without a lag, a small process noise keeps the last state regular.
      #expect(difference(short, general) <= 1e-12 * (1 + time * time * time * time) + 1.01e-8 * time)
    }
  }

  @Test("one step of a second equals a thousand short steps", arguments: models)
  func noise(_ model: VerticalModel) {
    var (once, stepwise) = (Self.start, Self.start)
    model.carry(&once, over: 1)
    for _ in 0..<1000 { model.carry(&stepwise, over: 1e-3) }
    #expect(difference(once, stepwise) < (model.lag == 0 ? 1e-7 : 1e-4), "\(model)")
    #expect(once[0, 0] > Self.start[0, 0] && once[1, 1] > Self.start[1, 1])
  }

  @Test("the variances of altitude and speed match the covariance", arguments: models)
  func variances(_ model: VerticalModel) {
    for time in [0.0, 0.01, 1, 20] {
      var carried = Self.start
      if time > 0 { model.carry(&carried, over: time) }
      let (altitude, speed) = model.variances(Self.start, after: time)
      #expect(abs(altitude - carried[0, 0]) <= 1e-12 * carried[0, 0])
      #expect(abs(speed - carried[1, 1]) <= 1e-12 * carried[1, 1])
    }
  }
}
