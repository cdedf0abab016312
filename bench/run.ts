/** `npm run bench -- <name> [arguments]`: one measurement at a time, on the pinned Node. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.replace(/\.ts$/, ''))
const [name = '', ...args] = process.argv.slice(2)
if (!names.includes(name)) {
  console.error(`Name one of: ${names.join(', ')}`)
  process.exit(1)
}
// Imports are remembered as in production, which takes 100 MB off what is measured.
const remembering = fileURLToPath(new URL('../tests/support/remember-imports.ts', import.meta.url))
const flags = ['--disable-warning=ExperimentalWarning', '--import', remembering]
process.exit(spawnSync(process.execPath, [...flags, `${folder}${name}.ts`, ...args], { stdio: 'inherit' }).status ?? 1)
