import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readEnvironmentFile, writeEnvironmentFile } from './environment-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'front-counter-environment-'))
const file = join(directory, 'environment')
beforeEach(() => rmSync(file, { force: true }))
afterAll(() => rmSync(directory, { recursive: true }))

const awkward = 'smtp://a:p%40ss$HOME`id`"#; *\\word@mail.example.com?x=1&y=2'

test('a value means the same when read back and when sourced by a shell', () => {
  writeEnvironmentFile(file, { SMTP_URL: awkward, PORT: '3000' })
  expect(readEnvironmentFile(file)).toEqual({ SMTP_URL: awkward, PORT: '3000' })
  const sourced = execFileSync('sh', ['-c', `set -a; . "${file}"; printf %s "$SMTP_URL"`], { encoding: 'utf8' })
  expect(sourced).toBe(awkward)
})

test('only the owner can read it, also if others could before', () => {
  writeFileSync(file, 'A=1\n', { mode: 0o644 })
  expect(writeEnvironmentFile(file, { A: '1' })).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('comments, own variables and the order of lines stay', () => {
  writeFileSync(file, '# ours\nB=2\n\nA=1 # keep\nC="three four"\n', { mode: 0o600 })
  expect(() => readEnvironmentFile(file)).toThrow('Line 4')
  writeFileSync(file, '# ours\nB=2\n\nA=1\nC="three four"\n', { mode: 0o600 })
  writeEnvironmentFile(file, { A: '5', C: 'three four', D: 'new' })
  expect(readFileSync(file, 'utf8')).toBe('# ours\nB=2\n\nA=5\nC="three four"\nD=new\n')
})

test('the same values leave the file alone', () => {
  writeEnvironmentFile(file, { A: 'one two' })
  expect(writeEnvironmentFile(file, { A: 'one two' })).toBe(false)
  expect(readdirSync(directory)).toEqual(['environment'])
})

test.each([
  ['a line without =', 'A=1\nSTRIPE_SEC', 2],
  ['an open quotation mark', `A='abc\nB=1`, 1],
  ['a value with a space', 'A=one two', 1],
])('%s is named with its number', (_case, text, line) => {
  writeFileSync(file, text)
  expect(() => readEnvironmentFile(file)).toThrow(`Line ${line} of ${file} isn’t NAME=value.`)
})

test('a line break in a value is refused, and the file stays', () => {
  writeEnvironmentFile(file, { A: '1' })
  expect(() => writeEnvironmentFile(file, { A: '2\nB=3' })).toThrow('line break')
  expect(readEnvironmentFile(file)).toEqual({ A: '1' })
})
