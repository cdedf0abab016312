/** `npm run test:real [part …]`: tests against real servers, programs and browsers (scripts/test-real.ts). */
import { ensureBuilt, ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: true })
const runtime = findRuntime()
await ensureBuilt(runtime)
runInstead(runtime, ['scripts/test-real.ts', ...process.argv.slice(2)])
