internal import MotionLogs
internal import Sensors

/// Writes device motions as rows of the chosen columns, in blocks.
struct RowSink: ~Copyable {
}
