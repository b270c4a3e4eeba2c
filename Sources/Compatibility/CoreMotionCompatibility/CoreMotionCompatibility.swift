// The modules that `import CoreMotion` includes, and the sources of a manager.
@_exported public import Foundation
@_exported public import InertialLive
@_exported public import InertialLogs
@_exported public import InertialNumerics
@_exported public import InertialSensors
