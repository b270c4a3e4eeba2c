// What `import CoreMotion` brings with it, and the sources that a manager can be given.
@_exported public import Foundation
@_exported public import Geomagnetism
@_exported public import LiveSensors
@_exported public import MotionLogs
@_exported public import Sensors
