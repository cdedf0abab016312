/** `npm run dev`: starts the server, which restarts on changes, and Vite with hot reload. */
import { ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: true })
runInstead(findRuntime(), ['scripts/dev.ts'])
