import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const sandbox = '@front-counter/stripe-sandbox'
const root = fileURLToPath(new URL('../..', import.meta.url))
const inside = (path: string) => path.slice(root.length).replace(/^\/+/, '')

/** Static imports of a module, without type-only and dynamic ones. */
function imports(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm)].map(
    ([, specifier = '']) => specifier,
  )
}

function fileOf(specifier: string, from: string): string | null {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier)
  const [, world, rest] = /^#(\w+)\/(.+)$/.exec(specifier) ?? []
  return world && rest ? join(root, 'src', world, rest) : null
}

function loadedFrom(entry: string): Set<string> {
  const seen = new Set<string>()
  const waiting = [join(root, entry)]
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (seen.has(path) || !existsSync(path)) continue
    seen.add(path)
    for (const specifier of imports(path)) {
      const file = fileOf(specifier, path)
      if (file) waiting.push(file)
    }
  }
  return new Set([...seen].map(inside))
}

const filesBelow = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .map((name) => join(directory, name))
        .filter((path) => statSync(path).isFile())
    : []

test.each([
  'src/server/main.ts',
  'src/server/serve.ts',
  'src/server/run-operator-command.ts',
  'src/server/set-up-stripe.ts',
  'src/server/setup/open-setup-system.ts',
  'src/server/setup/run-setup.ts',
])('B34: %s loads no module of the Stripe sandbox', (entry) => {
  const loaded = [...loadedFrom(entry)]
  expect(loaded.filter((path) => path.startsWith('packages/'))).toEqual([])
  if (entry.endsWith('serve.ts')) expect(loaded.length).toBeGreaterThan(150)
})

test('B34: the only import of the sandbox is in sandbox mode, after a guard', () => {
  const ways = filesBelow(join(root, 'src', 'server')).filter((path) => readFileSync(path, 'utf8').includes(sandbox))
  expect(ways.map(inside)).toEqual(['src/server/serve.ts'])
  const [body = ''] = /async function startSandboxStripe[\s\S]*?\n\}/.exec(readFileSync(ways[0] ?? '', 'utf8')) ?? []
  const [shut, open] = ["config.stripe.kind !== 'sandbox') return null", `import('${sandbox}'`].map((part) =>
    body.indexOf(part),
  )
  expect(shut).toBeGreaterThan(0)
  expect(open).toBeGreaterThan(shut ?? 0)
})

test('B34: the pages don’t import the sandbox either', () => {
  const named = filesBelow(join(root, 'src', 'client')).filter((path) => readFileSync(path, 'utf8').includes(sandbox))
  expect(named).toEqual([])
  const built = filesBelow(join(root, 'dist', 'client')).filter((path) => path.endsWith('.js'))
  for (const path of built) expect(readFileSync(path, 'utf8'), inside(path)).not.toContain('startStripeSandbox')
})
