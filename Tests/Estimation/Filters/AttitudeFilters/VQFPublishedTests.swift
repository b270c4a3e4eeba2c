import Foundation
import InertialFilters
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

/// The results of the published package (vqf 2.1.2) for a synthetic motion. To recreate:
/// `Notebooks-data/studies/vqf_fixture.py`.
private enum Published {
  struct Row {
    let index: Int
    let attitude: Quaternion
    let bias: Vector3

    init(_ index: Int, _ attitude: Quaternion, _ bias: Vector3) {
      (self.index, self.attitude, self.bias) = (index, attitude, bias)
    }
  }

  static let full: [Row] = [
    Row(
      99, Quaternion(x: 0.002813834520, y: -0.005738500588, z: 0.000288529201, w: 0.999979534139),
      Vector3(0.009325109959, -0.018646673010, 0.014118906903)),
    Row(
      299, Quaternion(x: 0.024316881476, y: 0.330695457073, z: 0.940416989164, w: 0.075266795064),
      Vector3(0.009846691393, -0.019669055428, 0.014811272485)),
    Row(
      499, Quaternion(x: 0.127185109859, y: -0.235399341668, z: 0.848217309348, w: -0.457097904059),
      Vector3(0.009851403617, -0.019662083041, 0.014814642812)),
    Row(
      699, Quaternion(x: -0.118092369421, y: -0.088022241467, z: -0.589125562097, w: -0.794504467814),
      Vector3(0.009870404666, -0.019656775631, 0.014814735888)),
    Row(
      899, Quaternion(x: 0.007947530862, y: 0.000351796139, z: -0.048200363811, w: 0.998806006150),
      Vector3(0.009873306680, -0.019655840452, 0.014815903870)),
    Row(
      1099, Quaternion(x: -0.159752283122, y: -0.028705912736, z: 0.173268812148, w: 0.971407791480),
      Vector3(0.009867866167, -0.019653837582, 0.014815935122)),
    Row(
      1299, Quaternion(x: -0.275131932386, y: 0.052560227003, z: 0.182943046365, w: -0.942375553644),
      Vector3(0.009853327810, -0.019656915513, 0.014817439333)),
    Row(
      1499, Quaternion(x: 0.165989278186, y: 0.293031322505, z: -0.817782257089, w: -0.466703742806),
      Vector3(0.009853422342, -0.019661516862, 0.014818561074)),
  ]
  /// The rows where the flag changes; it begins as false.
  static let fullRestChanges = [74, 200]
  /// The rows where the flag changes; it begins as true.
  static let fullDisturbanceChanges = [529, 701, 927]
  static let basic: [Row] = [
    Row(
      99, Quaternion(x: 0.004873114454, y: -0.009937514199, z: 0.002221361295, w: 0.999936280030),
      Vector3(0.000000000000, 0.000000000000, 0.000000000000)),
    Row(
      299, Quaternion(x: 0.023175877536, y: 0.312736355437, z: 0.946305675459, w: 0.078513815874),
      Vector3(0.000000000000, 0.000000000000, 0.000000000000)),
    Row(
      499, Quaternion(x: 0.144877326909, y: -0.217861740539, z: 0.837724226107, w: -0.479338025980),
      Vector3(0.000000000000, 0.000000000000, 0.000000000000)),
    Row(
      699, Quaternion(x: -0.094967300221, y: -0.083673569476, z: -0.628409986300, w: -0.767516015975),
      Vector3(0.000000000000, 0.000000000000, 0.000000000000)),
    Row(
      899, Quaternion(x: 0.011576432954, y: -0.011391946960, z: 0.033544516175, w: 0.999305246248),
      Vector3(0.000000000000, 0.000000000000, 0.000000000000)),
    Row(
      1099, Quaternion(x: -0.146763882157, y: -0.071741465748, z: 0.221453986443, w: 0.961390480957),
      Vector3(0.000000000000, 0.000000000000, 0.000000000000)),
    Row(
      1299, Quaternion(x: -0.271346294584, y: 0.041901370861, z: 0.125716254621, w: -0.953315733039),
      Vector3(0.000000000000, 0.000000000000, 0.000000000000)),
    Row(
      1499, Quaternion(x: 0.135091782763, y: 0.306489894484, z: -0.837501641181, w: -0.431746633835),
      Vector3(0.000000000000, 0.000000000000, 0.000000000000)),
  ]
  static let offline: [Row] = [
    Row(
      99, Quaternion(x: -0.000381323588, y: -0.001730559377, z: -0.005543010908, w: 0.999983067250),
      Vector3(0.008627398899, -0.017587174484, 0.013436850117)),
    Row(
      299, Quaternion(x: 0.025163045348, y: 0.333307279489, z: 0.939553221676, w: 0.074248381978),
      Vector3(0.009631176110, -0.019336033700, 0.014633676136)),
    Row(
      499, Quaternion(x: 0.128468810683, y: -0.236899726577, z: 0.847490974469, w: -0.457310979994),
      Vector3(0.009618738963, -0.019285347706, 0.014618643664)),
    Row(
      699, Quaternion(x: -0.117959479164, y: -0.087926281691, z: -0.587369615114, w: -0.795833817768),
      Vector3(0.009615249390, -0.019238844036, 0.014597400620)),
    Row(
      899, Quaternion(x: 0.007723552620, y: 0.000145545646, z: -0.047251981825, w: 0.998853130227),
      Vector3(0.009574075042, -0.019191804985, 0.014577285285)),
    Row(
      1099, Quaternion(x: -0.158458557684, y: -0.028313688377, z: 0.171304141442, w: 0.971979481096),
      Vector3(0.009533738354, -0.019153545102, 0.014562245980)),
    Row(
      1299, Quaternion(x: -0.273773220200, y: 0.052031154521, z: 0.183170378964, w: -0.942756381644),
      Vector3(0.009528979489, -0.019144406196, 0.014532898105)),
    Row(
      1499, Quaternion(x: 0.165261570327, y: 0.293327455426, z: -0.818269564298, w: -0.465921170811),
      Vector3(0.009630191047, -0.019223714232, 0.014480755546)),
  ]
  /// The rows where the flag changes; it begins as true.
  static let offlineRestChanges = [21, 74, 200]
  /// The rows where the flag changes; it begins as false.
  static let offlineDisturbanceChanges = [701, 897]
}

@Suite("VQF against the published package")
struct VQFPublishedTests {
  private static let rate = 50.0

  /// The motion of the script: rest for 4 s, rotations and rocking, a foreign field from 14 to 18 s.
  private static let columns: MotionColumns = {
    var columns = MotionColumns()
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
      columns.gyroscope.append(rates, at: time)
      columns.accelerometer.append(-Vector3(0, sin(rock), cos(rock)), at: time)
      columns.magneticField.append(field, at: time)
    }
    return columns
  }()

  private func run<Filter: AttitudeFilter>(_ start: Filter, _ look: (Int, Filter) -> Void) {
    var filter = start
    let columns = Self.columns
    for (index, time) in columns.gyroscope.times.enumerated() {
      filter.update(gyroscope: columns.gyroscope.values[index], at: time)
      filter.update(accelerometer: columns.accelerometer.values[index], at: time)
      filter.update(magneticField: columns.magneticField.values[index], at: time)
      look(index, filter)
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
    var parameters = VQF.Parameters()
    (parameters.gyroscopeRate, parameters.accelerometerRate, parameters.magneticFieldRate) = (50, 50, 50)
    var (attitudes, biases): ([Quaternion], [Vector3]) = ([], [])
    var (rest, disturbed): ([Bool], [Bool]) = ([], [])
    run(VQF(parameters: parameters)) { _, filter in
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
    var off = VQF.Parameters()
    (off.gyroscopeRate, off.accelerometerRate, off.magneticFieldRate) = (50, 50, 50)
    (off.motionBiasEstimation, off.restBiasEstimation, off.disturbanceRejection) = (0, 0, 0)
    var (attitudes, switchedOff): ([Quaternion], [Quaternion]) = ([], [])
    run(BasicVQF(parameters: parameters)) { _, filter in attitudes.append(filter.state.earthFromDevice) }
    run(VQF(parameters: off)) { _, filter in switchedOff.append(filter.state.earthFromDevice) }
    check(Published.basic, attitudes, attitudes.map { _ in .zero })
    #expect(attitudes == switchedOff)
  }

  @Test("the offline form's attitude, bias and flags equal the published ones, with rates from the timestamps")
  func offline() {
    let result = VQF.smoothed(Self.columns)
    #expect(result.times == Self.columns.gyroscope.times)
    check(Published.offline, result.attitudes, result.gyroscopeBiases)
    #expect(changes(result.isResting) == Published.offlineRestChanges)
    #expect(changes(result.isFieldDisturbed) == Published.offlineDisturbanceChanges)
  }

  @Test("with rates learned from the timestamps the results approach those of given rates")
  func learnedRates() {
    var parameters = VQF.Parameters()
    (parameters.gyroscopeRate, parameters.accelerometerRate, parameters.magneticFieldRate) = (50, 50, 50)
    var (given, learned): ([Quaternion], [Quaternion]) = ([], [])
    run(VQF(parameters: parameters)) { _, filter in given.append(filter.state.earthFromDevice) }
    run(VQF()) { _, filter in learned.append(filter.state.earthFromDevice) }
    // The first sample is not integrated, and its correction is not treated as a bias.
    let largest = zip(given, learned).dropFirst(250).map { $0.angle(to: $1) }.max()!
    #expect(largest < 1e-3)
  }
}
