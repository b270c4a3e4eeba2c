internal import LinearAlgebra
internal import Rotations
internal import Sensors

/// Recordings in lanes: each lane takes a job to its end and then the next one.
///
/// A lane's start-up, and what its body leaves, is done by its filter; then the lane joins the others again. Between,
/// all lanes go through one block of ticks after another.
struct LaneRun<Body: LaneBody> {
  typealias Filter = Body.Filter

  /// A recording and the filter that it is given to, and what came out.
  final class Job {
    let index: Int
    var filter: Filter
    var cursor = LaneCursor()
    var isInLane = false
    /// Where the sensors share a clock.
    var stretch = LaneStretch()
    var staged = LaneCursor.Staged()
    var result = AttitudeColumns()

    init(_ index: Int, _ filter: Filter) { (self.index, self.filter) = (index, filter) }
  }

  var body = Body()
  private let block = LaneBlock()
  let columns = LaneColumns()
  private(set) var lanes: [Job?] = Array(repeating: nil, count: Lanes.laneCount)
  /// The last that was found in any lane: lanes of one recording need not all look for it.
  var stretch = LaneStretch()
  let isOneMotion: Bool
  private var results: [AttitudeColumns?]
  private var nextJob = 0

  /// - Parameters:
  ///   - parameters: of each job.
  ///   - motions: of each job, checked; or one for all.
  static func estimates(_ parameters: [Filter.Parameters], of motions: [MotionColumns]) -> [AttitudeColumns] {
    var run = LaneRun(count: parameters.count, isOneMotion: motions.count == 1)
    run.runAll(parameters, motions)
    return run.results.compactMap { $0 }
  }

  private init(count: Int, isOneMotion: Bool) {
    results = Array(repeating: nil, count: count)
    self.isOneMotion = isOneMotion
  }

  private mutating func runAll(_ parameters: [Filter.Parameters], _ motions: [MotionColumns]) {
    func motion(_ job: Int) -> MotionColumns { motions.count == 1 ? motions[0] : motions[job] }
    while true {
      for lane in 0..<Lanes.laneCount { _ = fillLane(lane, parameters, motion) }
      if runStretch(motion) { continue }
      var active = Lanes.Mask(repeating: false)
      for lane in 0..<Lanes.laneCount {
        while fillLane(lane, parameters, motion) {
          if stage(lane, motion) { break }
        }
        active[lane] = lanes[lane] != nil
        if lanes[lane] == nil { clear(lane) }
      }
      guard active.isAny else { return }
      let left = runBlock(active)
      for lane in 0..<Lanes.laneCount { unstage(lane, leftAt: left[lane]) }
    }
  }

  /// Sees to it that a lane has a job that is in its steady state.
  ///
  /// - Returns: false where there is no job any more.
  private mutating func fillLane(_ lane: Int, _ parameters: [Filter.Parameters], _ motion: (Int) -> MotionColumns)
    -> Bool
  {
    while true {
      guard let job = lanes[lane] else {
        guard nextJob < parameters.count else { return false }
        let job = Job(nextJob, Filter(parameters: parameters[nextJob]))
        job.result.reserveCapacity(motion(nextJob).gyroscope.count)
        lanes[lane] = job
        nextJob += 1
        continue
      }
      if !job.isInLane {
        let motion = motion(job.index)
        while !job.cursor.isAtEnd(of: motion) {
          job.cursor.advance(&job.filter, through: motion)
          job.result.append(job.filter.estimate)
          // Rates of one time wait for the vectors of it: a lane does not begin between them.
          if job.cursor.isAtNewTime(of: motion), Body.isSteady(job.filter) { break }
        }
        if !job.cursor.isAtEnd(of: motion) {
          body.load(job.filter, lane: lane)
          job.isInLane = true
        }
      }
      if job.cursor.isAtEnd(of: motion(job.index)) {
        job.result.setTimes(motion(job.index).gyroscope.times)
        results[job.index] = job.result
        lanes[lane] = nil
        continue
      }
      return true
    }
  }

  /// - Returns: false where the next row is one for the filter.
  private mutating func stage(_ lane: Int, _ motion: (Int) -> MotionColumns) -> Bool {
    guard let job = lanes[lane] else { return false }
    job.cursor.stage(
      motion(job.index), lane: lane, in: block, inOrder: Body.takesVectorsInOrder, &job.staged)
    let hasTicks = job.staged.tickCount > 0
    if !hasTicks { leave(job, lane) }
    return hasTicks
  }

  func leave(_ job: Job, _ lane: Int) {
    job.filter = body.store(lane: lane, to: job.filter)
    job.isInLane = false
  }

  private func clear(_ lane: Int) {
    for tick in 0..<LaneBlock.tickCount {
      block.putNone(.gyroscope, tick: tick, lane: lane)
      block.putNone(.accelerometer, tick: tick, lane: lane)
      block.putNone(.magneticField, tick: tick, lane: lane)
    }
  }

  /// Computes the ticks of a block.
  ///
  /// - Returns: for each lane, the tick before which it was left, or the count of ticks.
  private mutating func runBlock(_ lanes: Lanes.Mask) -> [Int] {
    var active = lanes
    var left = Array(repeating: LaneBlock.tickCount, count: Lanes.laneCount)
    for index in 0..<LaneBlock.tickCount {
      var tick = block.tick(index, where: active)
      let leaving = body.leaves(tick)
      if leaving.isAny {
        for lane in 0..<Lanes.laneCount where leaving[lane] { left[lane] = index }
        active = active .& .!leaving
        tick = block.tick(index, where: active)
      }
      body.take(tick)
      block.put(body.estimate, tick: index)
    }
    return left
  }

  private mutating func unstage(_ lane: Int, leftAt tick: Int) {
    guard let job = lanes[lane] else { return }
    let last = min(tick, job.staged.tickCount)
    job.result.append(contentsOf: block, lane: lane, staged: job.staged, tickCount: last)
    job.cursor = job.staged.cursor(before: last)
    if tick < job.staged.tickCount || job.staged.isStopped { leave(job, lane) }
  }
}
