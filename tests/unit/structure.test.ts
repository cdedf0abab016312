import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/check-structure.ts', import.meta.url))
const made: string[] = []
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true })
})

/** Runs the structure check on temporary files. `files` maps each path to what it imports. */
function check(files: Record<string, string | null>) {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-structure-'))
  made.push(directory)
  for (const [path, imported] of Object.entries(files)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true })
    writeFileSync(join(directory, path), imported ? `export * from '${imported}'\n` : 'export const here = 1\n')
  }
  const folders = new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))
  folders.delete('tests')
  const run = spawnSync(process.execPath, [script, ...folders], { cwd: directory, encoding: 'utf8' })
  return { status: run.status, errors: run.stderr }
}

const planted: [rule: string, from: string, to: string][] = [
  ['client-not-server', 'src/client/app/a.ts', 'src/server/db/b.ts'],
  ['shared-not-client-or-server', 'src/shared/a.ts', 'src/server/b.ts'],
  ['server-not-client', 'src/server/http/a.ts', 'src/client/lib/b.ts'],
  ['stripe-sandbox-is-independent', 'packages/stripe-sandbox/a.ts', 'src/shared/b.ts'],
  ['stripe-sandbox-is-independent', 'packages/stripe-sandbox/tests/a.ts', 'tests/support/b.ts'],
  ['infrastructure-not-features', 'src/server/db/a.ts', 'src/server/features/identity/auth/b.ts'],
  ['ui-not-features', 'src/client/ui/a.ts', 'src/client/features/identity/auth/b.ts'],
  ['feature-order-identity-auth', 'src/server/features/identity/auth/a.ts', 'src/server/features/identity/staff/b.ts'],
  [
    'feature-order-library-content',
    'src/server/features/library/content/a.ts',
    'src/server/features/reader/saved/b.ts',
  ],
  ['feature-order-library-guides', 'src/client/features/library/guides/a.ts', 'src/client/features/library/tools/b.ts'],
  ['contract-order-billing', 'src/shared/contracts/billing/a.ts', 'src/shared/contracts/reader/b.ts'],
]

/** Plants all violations in one tree, since each check takes a second. */
function plantAll() {
  const files: Record<string, string | null> = {}
  for (const [rule, from, to] of planted) {
    const name = (path: string) => path.replace(/\w+\.ts$/, `${rule}-$&`)
    files[name(from)] = `${'../'.repeat(from.split('/').length - 1)}${name(to)}`
    files[name(to)] = null
  }
  return check(files)
}

describe('planted violations', () => {
  let found: ReturnType<typeof check>
  beforeAll(() => {
    found = plantAll()
  })

  test('fail the check', () => {
    expect(found.status).toBe(1)
  })

  test.each(planted)('of %s are named with both files', (rule, from, to) => {
    const line = `^error ${rule}: ${dirname(from)}/${rule}-a\\.ts -> ${dirname(to)}/${rule}-b\\.ts$`
    expect(found.errors).toMatch(new RegExp(line, 'm'))
  })
})

test('files without violations pass', () => {
  const { status, errors } = check({ 'src/client/app/entry-a.ts': '../../shared/b.ts', 'src/shared/b.ts': null })
  expect(errors).toBe('')
  expect(status).toBe(0)
})
