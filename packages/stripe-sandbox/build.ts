/** `node build.ts` writes the publishable package to `dist`, since Node doesn't strip types in `node_modules`. */
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const compiler = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc')

rmSync(here('dist'), { force: true, recursive: true })
execFileSync(process.execPath, [compiler, '-p', here('tsconfig.build.json')], { stdio: 'inherit' })
for (const path of ['pages/assets', 'schema/stripe-api.json', 'seed.example.json', 'README.md', 'LICENSE'])
  cpSync(here(path), here(`dist/${path}`), { recursive: true })

const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(here('package.json'), 'utf8'))
const published = {
  ...manifest,
  bin: { 'stripe-sandbox': './main.js' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
}
writeFileSync(here('dist/package.json'), `${JSON.stringify(published, null, 2)}\n`)
