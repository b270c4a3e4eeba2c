// The libraries of all files of these tests.
@_exported public import Foundation
@_exported public import InertialNumerics
