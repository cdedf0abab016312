/** `npm start`: installs packages and builds the pages if needed, then runs the server. */
import { ensureBuilt, ensureInstalled, findRuntime, runInstead, serverEnvironment } from './prepare.mjs'

ensureInstalled({ withDev: false })
const runtime = findRuntime()
ensureBuilt(runtime)
runInstead(runtime, ['src/server/main.ts'], { ...serverEnvironment, ...process.env })
