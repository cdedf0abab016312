/** Loaded before anything else by every process that runs tests. */
import { cacheModuleResolution } from '#server/cache-module-resolution.ts'

cacheModuleResolution()
