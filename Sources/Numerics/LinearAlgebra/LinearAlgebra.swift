@_exported public import InertialRotations

// Importing the algebra also imports its smallest types.
