import Foundation
import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

/// The results of the published package (vqf 2.1.2) for a synthetic motion. To recreate:
/// `Notebooks-data/studies/vqf_fixture.py`.
private enum Published {
  /// The index of a sample, its attitude, and the bias, which is zero if it is missing.
  typealias Row = (index: Int, attitude: Quaternion, bias: Vector3)

  private static func rows(_ text: String) -> [Row] {
    TextTable(text).rows.map { n in
      let bias = n.count > 5 ? Vector3(n[5], n[6], n[7]) : .zero
      return (Int(n[0]), Quaternion(x: n[1], y: n[2], z: n[3], w: n[4]), bias)
    }
  }

  static let full = rows(
    """
    index,x,y,z,w,bx,by,bz
    99,0.002813834520,-0.005738500588,0.000288529201,0.999979534139,0.009325109959,-0.018646673010,0.014118906903
    299,0.024316881476,0.330695457073,0.940416989164,0.075266795064,0.009846691393,-0.019669055428,0.014811272485
    499,0.127185109859,-0.235399341668,0.848217309348,-0.457097904059,0.009851403617,-0.019662083041,0.014814642812
    699,-0.118092369421,-0.088022241467,-0.589125562097,-0.794504467814,0.009870404666,-0.019656775631,0.014814735888
    899,0.007947530862,0.000351796139,-0.048200363811,0.998806006150,0.009873306680,-0.019655840452,0.014815903870
    1099,-0.159752283122,-0.028705912736,0.173268812148,0.971407791480,0.009867866167,-0.019653837582,0.014815935122
    1299,-0.275131932386,0.052560227003,0.182943046365,-0.942375553644,0.009853327810,-0.019656915513,0.014817439333
    1499,0.165989278186,0.293031322505,-0.817782257089,-0.466703742806,0.009853422342,-0.019661516862,0.014818561074
    """)
  /// The rows where the flag changes; it begins as false.
  static let fullRestChanges = [74, 200]
  /// The rows where the flag changes; it begins as true.
  static let fullDisturbanceChanges = [529, 701, 927]
  static let basic = rows(
    """
    index,x,y,z,w
    99,0.004873114454,-0.009937514199,0.002221361295,0.999936280030
    299,0.023175877536,0.312736355437,0.946305675459,0.078513815874
    499,0.144877326909,-0.217861740539,0.837724226107,-0.479338025980
    699,-0.094967300221,-0.083673569476,-0.628409986300,-0.767516015975
    899,0.011576432954,-0.011391946960,0.033544516175,0.999305246248
    1099,-0.146763882157,-0.071741465748,0.221453986443,0.961390480957
    1299,-0.271346294584,0.041901370861,0.125716254621,-0.953315733039
    1499,0.135091782763,0.306489894484,-0.837501641181,-0.431746633835
    """)
  static let offline = rows(
    """
    index,x,y,z,w,bx,by,bz
    99,-0.000381323588,-0.001730559377,-0.005543010908,0.999983067250,0.008627398899,-0.017587174484,0.013436850117
    299,0.025163045348,0.333307279489,0.939553221676,0.074248381978,0.009631176110,-0.019336033700,0.014633676136
    499,0.128468810683,-0.236899726577,0.847490974469,-0.457310979994,0.009618738963,-0.019285347706,0.014618643664
    699,-0.117959479164,-0.087926281691,-0.587369615114,-0.795833817768,0.009615249390,-0.019238844036,0.014597400620
    899,0.007723552620,0.000145545646,-0.047251981825,0.998853130227,0.009574075042,-0.019191804985,0.014577285285
    1099,-0.158458557684,-0.028313688377,0.171304141442,0.971979481096,0.009533738354,-0.019153545102,0.014562245980
    1299,-0.273773220200,0.052031154521,0.183170378964,-0.942756381644,0.009528979489,-0.019144406196,0.014532898105
    1499,0.165261570327,0.293327455426,-0.818269564298,-0.465921170811,0.009630191047,-0.019223714232,0.014480755546
    """)
  /// The rows where the flag changes; it begins as true.
  static let offlineRestChanges = [21, 74, 200]
  /// The rows where the flag changes; it begins as false.
  static let offlineDisturbanceChanges = [701, 897]
}

@Suite("VQF against the published package")
struct VQFPublishedTests {
  private static let rate = 50.0
  private static let given = with(VQF.Parameters()) {
    ($0.gyroscopeRate, $0.accelerometerRate, $0.magneticFieldRate) = (50, 50, 50)
  }

  /// The motion of the script: rest for 4 s, rotations and rocking, a foreign field from 14 to 18 s.
  private static let recording: Recording = {
    var recording = Recording()
    for index in 0..<1500 {
      let time = Double(index) / rate
      let s = max(0, time - 4)
      let (yaw, rock) = (1.5 * sin(0.6 * s) + 0.8 * s, 0.7 * sin(0.9 * s))
      let yawRate = time >= 4 ? 0.9 * cos(0.6 * s) + 0.8 : 0
      let rockRate = time >= 4 ? 0.63 * cos(0.9 * s) : 0
      let rates = Vector3(rockRate, yawRate * sin(rock), yawRate * cos(rock)) + Vector3(0.01, -0.02, 0.015)
      let flat = Vector3(20 * cos(yaw), -20 * sin(yaw), -44)
      var field = Vector3(flat.x, cos(rock) * flat.y + sin(rock) * flat.z, -sin(rock) * flat.y + cos(rock) * flat.z)
      if time >= 14, time < 18 { field += Vector3(0, 30, 10) }
      recording.append(SensorSample(time: time, channel: .gyroscope, rates))
      recording.append(SensorSample(time: time, channel: .accelerometer, -Vector3(0, sin(rock), cos(rock))))
      recording.append(SensorSample(time: time, channel: .calibratedMagneticField, field))
    }
    return recording
  }()

  private func run<Filter: AttitudeFilter>(_ start: Filter, _ look: (Int, Filter) -> Void) {
    var filter = start
    for (index, sample) in Self.recording.samplesInTimeOrder().enumerated() {
      filter.take(sample)
      if index % 3 == 2 { look(index / 3, filter) }
    }
  }

  private func check(_ rows: [Published.Row], _ attitudes: [Quaternion], _ biases: [Vector3]) {
    #expect(rows.count == 8)
    for row in rows {
      #expect(isSameRotation(attitudes[row.index], row.attitude, within: 1e-9), "row \(row.index)")
      #expect(isNear(biases[row.index], row.bias, within: 1e-11), "row \(row.index)")
    }
  }

  /// Returns the rows at which a flag changes.
  private func changes(_ flags: [Bool]) -> [Int] { flags.indices.dropFirst().filter { flags[$0] != flags[$0 - 1] } }

  @Test("with given rates attitude, bias and flags equal the published ones")
  func full() {
    var (attitudes, biases): ([Quaternion], [Vector3]) = ([], [])
    var (rest, disturbed): ([Bool], [Bool]) = ([], [])
    run(VQF(parameters: Self.given)) { _, filter in
      attitudes.append(filter.state.earthFromDevice)
      biases.append(filter.state.gyroscopeBias)
      rest.append(filter.state.isResting)
      disturbed.append(filter.state.isFieldDisturbed)
      #expect(filter.estimate?.earthFromDevice == attitudes.last)
    }
    check(Published.full, attitudes, biases)
    #expect(changes(rest) == Published.fullRestChanges)
    #expect(changes(disturbed) == Published.fullDisturbanceChanges)
  }

  @Test("the basic form's attitude equals the published one, and the full form's with all switched off")
  func basic() {
    var parameters = BasicVQF.Parameters()
    (parameters.gyroscopeRate, parameters.accelerometerRate, parameters.magneticFieldRate) = (50, 50, 50)
    var off = Self.given
    (off.motionBiasEstimation, off.restBiasEstimation, off.disturbanceRejection) = (0, 0, 0)
    var (attitudes, switchedOff): ([Quaternion], [Quaternion]) = ([], [])
    run(BasicVQF(parameters: parameters)) { _, filter in attitudes.append(filter.state.earthFromDevice) }
    run(VQF(parameters: off)) { _, filter in switchedOff.append(filter.state.earthFromDevice) }
    check(Published.basic, attitudes, attitudes.map { _ in .zero })
    #expect(attitudes == switchedOff)
  }

  @Test("the offline form's attitude, bias and flags equal the published ones, with rates from the timestamps")
  func offline() {
    let result = VQF.smoothed(Self.recording)
    #expect(result.times == Self.recording[.gyroscope]?.times)
    check(Published.offline, result.attitudes, result.gyroscopeBiases)
    #expect(changes(result.isResting) == Published.offlineRestChanges)
    #expect(changes(result.isFieldDisturbed) == Published.offlineDisturbanceChanges)
  }

  @Test("with rates learned from the timestamps the results approach those of given rates")
  func learnedRates() {
    var (given, learned): ([Quaternion], [Quaternion]) = ([], [])
    run(VQF(parameters: Self.given)) { _, filter in given.append(filter.state.earthFromDevice) }
    run(VQF()) { _, filter in learned.append(filter.state.earthFromDevice) }
    // The first sample is not integrated, and its correction is not treated as a bias.
    let largest = zip(given, learned).dropFirst(250).map { $0.angle(to: $1) }.max()!
    #expect(largest < 1e-3)
  }
}
