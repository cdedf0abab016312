/** `npm start`: installs packages and builds if needed, then runs the server. */
import { builtServer, ensureBuilt, ensureInstalled, findRuntime, runInstead, serverEnvironment } from './prepare.mjs'

ensureInstalled({ withDev: false })
const runtime = findRuntime()
ensureBuilt(runtime)
runInstead(runtime, [builtServer], { ...serverEnvironment, ...process.env })
