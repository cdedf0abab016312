/** `npm run bench -- <name>`: installs packages and builds the pages if needed, then runs a benchmark. */
import { ensureBuilt, ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: true })
const runtime = findRuntime()
await ensureBuilt(runtime)
runInstead(runtime, ['bench/run.ts', ...process.argv.slice(2)])
