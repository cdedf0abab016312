import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/check-structure.ts', import.meta.url))
const made: string[] = []
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true })
})

/** Runs the structure check over a small tree: path to import, or to nothing. */
function check(files: Record<string, string | null>) {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-structure-'))
  made.push(directory)
  for (const [path, imported] of Object.entries(files)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true })
    writeFileSync(join(directory, path), imported ? `export * from '${imported}'\n` : 'export const here = 1\n')
  }
  const run = spawnSync(process.execPath, [script, 'src'], { cwd: directory, encoding: 'utf8' })
  return { status: run.status, said: run.stderr }
}

const planted: [rule: string, from: string, to: string][] = [
  ['client-not-server', 'src/client/app/a.ts', 'src/server/db/b.ts'],
  ['shared-is-alone', 'src/shared/a.ts', 'src/server/b.ts'],
  ['server-not-client', 'src/server/http/a.ts', 'src/client/lib/b.ts'],
  ['sandbox-is-alone', 'src/sandbox/stripe/a.ts', 'src/shared/b.ts'],
  ['ground-floor-knows-no-features', 'src/server/db/a.ts', 'src/server/features/auth/b.ts'],
  ['ui-knows-no-features', 'src/client/ui/a.ts', 'src/client/features/auth/b.ts'],
  ['client-features-apart', 'src/client/features/tools/a.ts', 'src/client/features/guides/b.ts'],
]

test.each(planted)('a planted violation of %s fails the check', (rule, from, to) => {
  const up = '../'.repeat(from.split('/').length - 1)
  const { status, said } = check({ [from]: `${up}${to}`, [to]: null })
  expect(said).toContain(rule)
  expect(status).toBe(1)
})

test('the same files without the import pass', () => {
  const { status, said } = check({ 'src/client/app/entry-a.ts': '../../shared/b.ts', 'src/shared/b.ts': null })
  expect(said).toBe('')
  expect(status).toBe(0)
})
