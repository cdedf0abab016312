/** `npm run admin`, `backup`, `restore`, `export`, `import` and `keys:rotate`: commands for the server's operator. */
import { ensureInstalled, findRuntime, runInstead } from './prepare.mjs'

ensureInstalled({ withDev: false })
runInstead(findRuntime(), ['scripts/operator.ts', ...process.argv.slice(2)])
