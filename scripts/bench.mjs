/** `npm run bench -- <name>`: installs what is missing, builds the pages, then measures on the pinned Node. */
import { ensureBuilt, ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: true })
const runtime = findRuntime()
ensureBuilt(runtime)
runInstead(runtime, ['bench/run.ts', ...process.argv.slice(2)])
