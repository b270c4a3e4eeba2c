// The libraries of all files of these tests.
@_exported public import InertialFusion
@_exported public import InertialRecognition
@_exported public import InertialSimulation
@_exported public import TestSupport
