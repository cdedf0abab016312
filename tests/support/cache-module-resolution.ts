/** Preloaded by all test processes. */
import { cacheModuleResolution } from '#server/cache-module-resolution.ts'

cacheModuleResolution()
