// What `import CoreMotion` brings with it, and the sources that a manager can be given.
@_exported public import Foundation
@_exported public import InertialLive
@_exported public import InertialLogs
@_exported public import InertialNumerics
@_exported public import InertialSensors
