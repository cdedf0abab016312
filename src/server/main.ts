/**
 * Where the process begins. What is imported here comes before imports are quick, so it is next to nothing; the server
 * itself is composed in serve.ts.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { rememberImports } from './remember-imports.ts'

// Compiled code from the last start, types already stripped. Where the folder cannot be written, all is compiled anew.
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled', import.meta.url)))
rememberImports()
await import('./serve.ts')
