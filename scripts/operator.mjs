/** `npm run admin` and `npm run keys:rotate`: commands for whoever runs the server. */
import { ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: false })
runInstead(findRuntime(), ['scripts/operator.ts', ...process.argv.slice(2)])
