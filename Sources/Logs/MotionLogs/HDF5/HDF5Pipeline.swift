#if HDF5
  internal import Dispatch
  internal import Synchronization
  internal import InertialSystem

  /// A block of rows. It is sendable because it belongs to one thread at a time.
  final class HDF5Block: @unchecked Sendable {
    var values: [Double] = []
  }

  /// A queue of row blocks that are compressed and written to an HDF5 file in order on a separate thread.
  final class HDF5Pipeline: Sendable {
    /// The maximum number of blocks in flight: one being written and one pending.
    private static let depth = 2

    /// The state that only the queue's thread uses.
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
      /// The blocks for reuse.
      var idle: [HDF5Block] = []
    }

    private let state = Mutex(State())
    private let output: Output
    private let slots = DispatchSemaphore(value: HDF5Pipeline.depth)
    /// The queue, or `nil` if background threads are unavailable.
    private let queue = BackgroundThreads.areAvailable ? DispatchQueue(label: "inertial.hdf5") : nil

    init(
      path: String, group: String, columns: [HDF5TableWriter.Column], force: Bool
    ) throws(OutputError) {
      func begin(isNamed: Bool) throws(OutputError) -> Output {
        let file = try AtomicFile(path: path, force: force, isNamed: isNamed)
        guard let outputPath = file.pathToFill else {
          throw OutputError(
            kind: .other, path: file.path, problem: "HDF5 cannot be written sequentially",
            remedy: "give the path of a file with -o FILE.h5")
        }
        return Output(
          file: file, table: try HDF5TableFile(at: outputPath, path: path, group: group, columns: columns))
      }
      do throws(OutputError) {
        output = try begin(isNamed: false)
      } catch  where error.kind == .noFolder {
        // Some HDF5 libraries require a name for their file. If the folder is missing, this fails again.
        output = try begin(isNamed: true)
      }
    }

    func emptyBlock() -> HDF5Block { state.withLock { $0.idle.popLast() } ?? HDF5Block() }

    /// Submits a block, and waits while too many blocks are in flight.
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

    /// Calls `body` with the table after all submitted blocks are written.
    func wait(_ body: (HDF5TableFile) throws(OutputError) -> Void) throws(OutputError) {
      exclusively { attempt(body) }
      try throwError()
    }

    /// Moves the file to its final path.
    func commit() throws(OutputError) {
      try wait { table throws(OutputError) in try table.finish() }
      exclusively {
        // Closes the file, which must precede its renaming.
        output.table = nil
        do throws(OutputError) {
          try output.file.commit()
        } catch {
          state.withLock { $0.error = error }
        }
      }
      try throwError()
    }

    /// Discards uncommitted data. When it returns, the library is no longer in use.
    func abandon() { exclusively { output.table = nil } }

    private func exclusively(_ work: () -> Void) {
      if let queue { queue.sync(execute: work) } else { work() }
    }

    private func throwError() throws(OutputError) {
      if let error = state.withLock({ $0.error }) { throw error }
    }

    /// Runs `body` on the queue's thread and stores its error. After an error, nothing is run.
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
