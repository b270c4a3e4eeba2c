// The libraries of all files of these tests.
@_exported public import Foundation
@_exported public import Inertial
@_exported public import InertialLogs
@_exported public import InertialNumerics
@_exported public import InertialSensors
@_exported public import InertialSystem
@_exported public import TestSupport
