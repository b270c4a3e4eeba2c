// Initialisation of a program before its libraries start. There are no functions to call. It must not be linked into a
// library, as it affects the whole process.
#pragma once
