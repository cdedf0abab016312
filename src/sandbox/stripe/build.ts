/** `node build.ts` writes `dist`, what is published: Node runs no TypeScript inside of `node_modules`. */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const compiler = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc')

rmSync(here('dist'), { force: true, recursive: true })
execFileSync(process.execPath, [compiler, '-p', here('tsconfig.build.json')], { stdio: 'inherit' })
for (const path of ['pages/assets', 'schema/stripe-api.json'])
  cpSync(here(path), here(`dist/${path}`), { recursive: true })
