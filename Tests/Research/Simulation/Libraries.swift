// The libraries of all files of these tests.
@_exported public import Foundation
@_exported public import InertialNumerics
@_exported public import InertialRotations
@_exported public import InertialSensors
@_exported public import InertialSimulation
@_exported public import TestSupport
