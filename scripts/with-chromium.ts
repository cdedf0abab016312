/** `node scripts/with-chromium.ts <command …>`: runs the command with CHROME_PATH set to a browser. */
import { spawnSync } from 'node:child_process'
import { ensureChromium } from './chromium.ts'

const [command = '', ...args] = process.argv.slice(2)
const result = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, CHROME_PATH: ensureChromium() } })
process.exit(result.status ?? 1)
