// What a program that links this does before its libraries begin. It has nothing to call, and is no part of a library: what
// is done is done to a whole process.
#pragma once
