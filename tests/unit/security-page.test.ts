import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { levelTwoSettings, securityPage } from '#tests/support/security-page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The level 1 and 2 items of ASVS 5.0.0 in V6, V7 and V8, by section. */
const items: Readonly<Record<string, readonly number[]>> = {
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  '6.3': [1, 2, 3, 4],
  '6.4': [1, 2, 3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.2': [1, 2, 3, 4],
  '7.3': [1, 2],
  '7.4': [1, 2, 3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
}

const rows = [...securityPage.matchAll(/^\| (\d+\.\d+\.\d+) \|(.*)\|$/gm)].map(([, item = '', cells = '']) => {
  const [asks = '', verdict = '', how = '', tests = ''] = cells.split(' | ').map((cell) => cell.trim())
  return { item, asks, verdict, how, tests }
})

/** `auth/limits` and the like. */
function testFile(name: string): string {
  if (name.startsWith('src/')) return name
  if (name.startsWith('e2e/')) return `tests/${name}.spec.ts`
  return name.startsWith('unit/') ? `tests/${name}.test.ts` : `tests/integration/${name}.test.ts`
}

test('each item of levels 1 and 2 is listed once, in order', () => {
  const expected = Object.entries(items).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  )
  expect(rows.map(({ item }) => item)).toEqual(expected)
  for (const { item, verdict, how, tests } of rows) {
    expect([item, verdict]).toEqual([item, expect.toBeOneOf(['met', 'with settings', 'in part', 'not met', 'n/a'])])
    expect([item, how.length > 0, tests.includes('“')]).toEqual([item, true, true])
  }
})

test('every test that the page names exists with that title', () => {
  const named = [...securityPage.matchAll(/`([\w./-]+)`\s“([^”]+)”/g)]
  expect(named.length).toBeGreaterThanOrEqual(rows.length)
  for (const [, name = '', title = ''] of named) {
    const file = join(root, testFile(name))
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const quotes = ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`))
    expect([name, title, quotes]).toEqual([name, title, true])
  }
})

test('sessions are created only in the files that the page names', () => {
  const named = /created in five files, and nowhere else: (.+?), all by/s.exec(securityPage)?.[1] ?? ''
  const opening = globSync('src/server/**/*.ts', { cwd: root }).filter((file) =>
    /\bcreateSession\(tx/.test(readFileSync(join(root, file), 'utf8')),
  )
  const said = [...named.matchAll(/`([\w-]+\.ts)`/g)].map(([, file]) => file)
  expect(opening.map((file) => basename(file)).sort()).toEqual(said.sort())
})

test('every source file that the page names exists', () => {
  const files = globSync('{src,tests}/**/*.{ts,tsx}', { cwd: root })
  for (const [, file = ''] of securityPage.matchAll(/`([\w/-]+(?:\.test)?\.tsx?)`/g)) {
    expect([file, files.some((path) => path === file || path.endsWith(`/${file}`))]).toEqual([file, true])
  }
})

test('the settings that the page mentions exist', () => {
  const files = globSync('src/server/config/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const config = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const named = [...securityPage.matchAll(/`([A-Z]+_[A-Z_]+)\b/g)].map(([, name = '']) => name)
  for (const name of [...named, ...Object.keys(levelTwoSettings())]) {
    expect([name, new RegExp(`^ {2}${name}:`, 'm').test(config)]).toEqual([name, true])
  }
})
