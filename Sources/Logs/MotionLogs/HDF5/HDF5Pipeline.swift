#if HDF5
  internal import Dispatch
  internal import Synchronization
  internal import InertialSystem

  /// Some rows. Belongs to one thread at a time, which is why it may be sent.
  final class HDF5Block: @unchecked Sendable {
    var values: [Double] = []
  }

  /// Blocks of rows on their way to an HDF5 file, packed and written in order on a thread of their own.
  final class HDF5Pipeline: Sendable {
    /// Blocks in flight: one that is written and one that waits.
    private static let depth = 2

    /// What belongs to the queue's thread alone.
    private final class Output: @unchecked Sendable {
      let file: AtomicFile
      var table: HDF5TableFile?

      init(file: AtomicFile, table: HDF5TableFile) {
        self.file = file
        self.table = table
      }
    }

    private struct State {
      var error: OutputError?
      /// Blocks to use again.
      var idle: [HDF5Block] = []
    }

    private let state = Mutex(State())
    private let output: Output
    private let slots = DispatchSemaphore(value: HDF5Pipeline.depth)
    /// nil if nothing is done in the background.
    private let queue = BackgroundThreads.areAvailable ? DispatchQueue(label: "inertial.hdf5") : nil

    init(
      path: String, group: String, columns: [HDF5TableWriter.Column], force: Bool
    ) throws(OutputError) {
      func begin(isNamed: Bool) throws(OutputError) -> Output {
        let file = try AtomicFile(path: path, force: force, isNamed: isNamed)
        guard let place = file.pathToFill else {
          throw OutputError(
            kind: .other, path: file.path, problem: "HDF5 is not written from its beginning to its end",
            remedy: "give the path of a file with -o FILE.h5")
        }
        return Output(
          file: file, table: try HDF5TableFile(at: place, path: path, group: group, columns: columns))
      }
      do throws(OutputError) {
        output = try begin(isNamed: false)
      } catch  where error.kind == .noFolder {
        // An HDF5 library that wants a name for its file; without a folder this fails again.
        output = try begin(isNamed: true)
      }
    }

    func emptyBlock() -> HDF5Block { state.withLock { $0.idle.popLast() } ?? HDF5Block() }

    /// Takes a block, waiting while too many are in flight.
    func submit(_ block: HDF5Block) throws(OutputError) {
      try throwError()
      slots.wait()
      let write: @Sendable () -> Void = { [self] in
        attempt { table throws(OutputError) in
          try block.values.withUnsafeBufferPointer { rows throws(OutputError) in try table.append(rows) }
        }
        block.values.removeAll(keepingCapacity: true)
        state.withLock { $0.idle.append(block) }
        slots.signal()
      }
      if let queue { queue.async(execute: write) } else { write() }
    }

    /// Does something with the table after everything that was submitted.
    func wait(_ body: (HDF5TableFile) throws(OutputError) -> Void) throws(OutputError) {
      exclusively { attempt(body) }
      try throwError()
    }

    /// Puts the file in its place.
    func commit() throws(OutputError) {
      try wait { table throws(OutputError) in try table.finish() }
      exclusively {
        // Closes the file, which must be before it gets its name.
        output.table = nil
        do throws(OutputError) {
          try output.file.commit()
        } catch {
          state.withLock { $0.error = error }
        }
      }
      try throwError()
    }

    /// Gives up what is not committed; when it returns, the library is not in use any more.
    func abandon() { exclusively { output.table = nil } }

    private func exclusively(_ work: () -> Void) {
      if let queue { queue.sync(execute: work) } else { work() }
    }

    private func throwError() throws(OutputError) {
      if let error = state.withLock({ $0.error }) { throw error }
    }

    /// On the queue's thread: nothing after an error, which is kept.
    private func attempt(_ body: (HDF5TableFile) throws(OutputError) -> Void) {
      guard let table = output.table, state.withLock({ $0.error == nil }) else { return }
      do throws(OutputError) {
        try body(table)
      } catch {
        state.withLock { $0.error = error }
      }
    }
  }
#endif
