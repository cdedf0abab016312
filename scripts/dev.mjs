/** `npm run dev`: the server restarting on changes, the pages through Vite with hot reload. */
import { ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: true })
runInstead(findRuntime(), ['scripts/dev.ts'])
