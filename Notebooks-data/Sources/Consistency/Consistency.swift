// Tests the covariance of every filter that has one: Monte Carlo over sensors with exactly the noise that the filter
// expects, the normalised estimation error squared (NEES; ideally 3) with its 99 % band, and the ratio of the errors'
// standard deviation to the filter's sigma (ideally 1):
// swift run -c release --package-path Notebooks-data Consistency [RUNS]
import Inertial
import InertialResearch

@main struct Consistency {
  static func main() throws {
    var study = ConsistencyStudy()
    study.runCount = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 500
    study.times = [3, 5, 8, 15, 30]
    print("filter,time,quantity,nees,neesLow,neesHigh,ratioX,ratioY,ratioZ,ratioLow,ratioHigh,sigmaX,sigmaY,sigmaZ")
    for kind in FilterKind.all.filter({ $0.traits.contains(.covariance) }) {
      for result in try study.run(kind) {
        report(kind.name, result.time, "attitude", result.attitude)
        report(kind.name, result.time, "bias", result.bias)
      }
    }
  }

  static func report(_ name: String, _ time: Double, _ quantity: String, _ sample: ConsistencyResult.ErrorSample) {
    let (band, ratio) = (sample.neesBand(0.99), sample.sigmaRatio)
    let (ratioBand, sigma) = (sample.sigmaRatioBand(0.99), sample.ownSigma)
    let numbers = [
      sample.meanNEES, band.lowerBound, band.upperBound, ratio.x, ratio.y, ratio.z, ratioBand.lowerBound,
      ratioBand.upperBound, sigma.x, sigma.y, sigma.z,
    ]
    let texts = numbers.map { "\(($0 * 1e5).rounded() / 1e5)" }
    print("\(name),\(time),\(quantity),\(texts.joined(separator: ","))")
  }
}
