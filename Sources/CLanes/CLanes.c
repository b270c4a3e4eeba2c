// The header is all there is; a target needs a source.
#include "CLanes.h"
