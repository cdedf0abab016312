/** `npm start`: installs packages and builds if needed, then runs the server. */
import { builtServer, ensureBuilt, ensureInstalled, findRuntime, runInstead, serverEnvironment } from './prepare.mjs'

ensureInstalled({ withDev: false })
const runtime = findRuntime()
await ensureBuilt(runtime, ['server'])
// The server sets up its database in the meantime.
const pages = ensureBuilt(runtime, ['pages'])
runInstead(runtime, [builtServer], { ...serverEnvironment, ...process.env }, pages)
