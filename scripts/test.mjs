/** `npm test`: installs packages if needed, then runs all checks. */
import { ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: true })
runInstead(findRuntime(), ['scripts/test.ts', ...process.argv.slice(2)])
