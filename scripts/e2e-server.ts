/** The browser tests' server, with a temporary data directory. */
import { mkdtempSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtServer, serverEnvironment } from './prepare.mjs'

const directory = mkdtempSync(join(tmpdir(), 'front-counter-e2e-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
process.env.DATA_DIR = directory
enableCompileCache(serverEnvironment.NODE_COMPILE_CACHE)
await import(new URL(`../${builtServer}`, import.meta.url).href)
