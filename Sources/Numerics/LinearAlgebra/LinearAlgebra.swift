// Whoever imports the algebra has its smallest members, too.
@_exported public import InertialRotations
