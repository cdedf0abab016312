/** `npm test`: installs what is missing or stale, then runs every check on the pinned Node. */
import { ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: true })
runInstead(findRuntime(), ['scripts/test.ts', ...process.argv.slice(2)])
