/**
 * Entry point. Sets up the caches that make imports fast and then loads serve.ts, so it imports as little as possible.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { cacheModuleResolution } from './cache-module-resolution.ts'

// Keeps compiled code for the next start, unless NODE_COMPILE_CACHE says where. If the folder isn't writable, Node compiles
// everything again.
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled', import.meta.url)))
cacheModuleResolution()
await import('./serve.ts')
