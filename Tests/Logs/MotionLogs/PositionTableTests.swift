import InertialNumerics
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Position tables of paths and landmarks") struct PositionTableTests {
  private let folder = TemporaryFolder()

  private func read(_ text: String) throws(LogError) -> PositionTable {
    try PositionTable(path: folder.write(text, to: "marks.csv"))
  }

  @Test("columns are recognized by name, in any order, with and without units")
  func names() throws {
    let plain = try read("time,x,y,z\n0,1,2,3\n1.5,4,5,6\n")
    #expect(plain.times == [0, 1.5] && plain.positions == [Vector3(1, 2, 3), Vector3(4, 5, 6)])
    #expect(plain.kind == .metres && plain.hasHeights && plain.sigmas == nil)
    let flat = try read("name,y (cm),x (m),t (ms)\nA,200,1,0\nB,500,4,1500\n")
    #expect(flat.times == [0, 1.5] && flat.positions == [Vector3(1, 2, 0), Vector3(4, 5, 0)] && !flat.hasHeights)
    let own = try read(
      "time,quaternionX,positionX,positionY,positionZ,velocityX,positionSigmaX,positionSigmaY,positionSigmaZ\n"
        + "0,0.1,1,2,3,9,0.1,0.2,0.3\n")
    #expect(own.positions == [Vector3(1, 2, 3)] && own.sigmas == [Vector3(0.1, 0.2, 0.3)])
    #expect(try read("time;east (m);north (m);up (m)\n0;1,5;2,5;3,5\n").positions == [Vector3(1.5, 2.5, 3.5)])
    #expect(try read("time,east,north\n0,1,2\n").kind == .eastNorthUp)
    let earth = try read("seconds_elapsed,latitude,longitude,altitude\n0,48.1,16.2,170\n")
    #expect(earth.kind == .geographic && earth.positions == [Vector3(48.1, 16.2, 170)])
  }

  @Test("TUM trajectories have no names, and EuRoC's have them in a comment")
  func trajectories() throws {
    let tum = try read("# timestamp tx ty tz qx qy qz qw\n0.5 1 2 3 0 0 0 1\n0.6 4 5 6 0 0 0 1\n")
    #expect(tum.times == [0.5, 0.6] && tum.positions.last == Vector3(4, 5, 6) && tum.hasHeights)
    let euroc = try read("#timestamp [ns], p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w []\n1500000000,1,2,3,1\n")
    #expect(euroc.times == [1.5] && euroc.positions == [Vector3(1, 2, 3)])
  }

  @Test("rows without a position are left out and counted, and a table may lack heights")
  func empty() throws {
    let table = try read("time,x,y,z\n0,1,2,3\n1,,,\n2,nan,2,3\n3,1,2,\n4,1,2,4\n\n")
    #expect(table.times == [0, 4] && table.emptyCount == 3)
    let flat = try read("time,x,y,z\n0,1,2,\n1,2,3,\n")
    #expect(!flat.hasHeights && flat.times == [0, 1] && flat.emptyCount == 0)
  }

  @Test("only the first row may lack a time")
  func untimed() throws {
    let table = try read("time (s),x (m),y (m)\n,7,6\n4.5,11,6\n")
    #expect(table.times[0].isNaN && table.times[1] == 4.5)
  }

  @Test(
    "errors contain line, column and remedy",
    arguments: [
      ("x,y\n1,2\n", 1, nil, "no column of times (found: x, y)"),
      ("time,a,b\n0,1,2\n", 1, nil, "no columns of positions (found: time, a, b)"),
      ("0,1,2\n1,2,3\n", 1, nil, "no line of column names"),
      ("time,x,y\n0,1,2\n1,two,3\n", 3, 2, "\"two\" is not a number"),
      ("time,x,y\n0,1,2\n1,inf,3\n", 3, 2, "\"inf\" is not a number"),
      ("time,x,y\n0,1,2\n,2,3\n", 3, 1, "the row has no time"),
      ("time,x,y\n5,1,2\n3,2,3\n", 3, 1, "the time 3.0 is before the previous row's, 5.0"),
      ("time,x,y\n0,1\n", 2, nil, "2 fields instead of 3"),
      ("time,x (ft),y (ft)\n0,1,2\n", 1, 2, "the unit 'ft' is unknown"),
      ("time,latitude,longitude\n0,91,2\n", 2, 2, "is not a place on earth"),
      ("", nil, nil, "the file has no positions"), ("# nothing\n\n", nil, nil, "the file has no positions"),
      ("time,x,y\n", nil, nil, "the file has no rows"),
      ("time,x,y\n0,nan,nan\n1,,\n", nil, nil, "none of the 2 rows has a position"),
    ] as [(String, Int?, Int?, String)])
  func wrong(text: String, line: Int?, column: Int?, problem: String) throws {
    let error = try #require(logError(of: try read(text)))
    #expect(error.line == line && error.column == column && error.problem.contains(problem), "\(error)")
    #expect(!error.remedy.isEmpty && error.path.hasSuffix("marks.csv"))
  }
}
