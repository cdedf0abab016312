/** Builds the pages and the server if their sources have changed since the last build. */
import { ensureBuilt, findRuntime } from './prepare.mjs'

await ensureBuilt(findRuntime())
