/** The browser tests' server, with a temporary data directory. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const directory = mkdtempSync(join(tmpdir(), 'front-counter-e2e-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
process.env.DATA_DIR = directory
await import('../src/server/main.ts')
