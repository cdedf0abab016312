import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSecretBox, loadSecret } from './secret-box.ts'

const box = createSecretBox('one secret that is long enough')

test('sealed text opens only with the same purpose and secret', () => {
  const sealed = box.seal('totp', 'JBSWY3DPEHPK3PXP')
  expect(sealed).not.toContain('JBSWY')
  expect(box.open('totp', sealed)).toBe('JBSWY3DPEHPK3PXP')
  expect(() => box.open('other', sealed)).toThrow()
  expect(() => createSecretBox('another secret, long enough').open('totp', sealed)).toThrow()
  expect(box.seal('totp', 'same')).not.toBe(box.seal('totp', 'same'))
})

test('a signature is valid only for its text and purpose', () => {
  const signature = box.sign('link', 'guide-1')
  expect(box.verify('link', 'guide-1', signature)).toBe(true)
  expect(box.verify('link', 'guide-2', signature)).toBe(false)
  expect(box.verify('mail', 'guide-1', signature)).toBe(false)
  expect(box.verify('link', 'guide-1', '')).toBe(false)
})

test('a previous secret still opens and verifies, but isn’t used for new data', () => {
  const next = createSecretBox('the secret that came after it', ['one secret that is long enough'])
  expect(next.open('totp', box.seal('totp', 'JBSWY3DPEHPK3PXP'))).toBe('JBSWY3DPEHPK3PXP')
  expect(next.verify('link', 'guide-1', box.sign('link', 'guide-1'))).toBe(true)
  expect(next.signatures('code', 'x')).toEqual([next.sign('code', 'x'), box.sign('code', 'x')])
  expect(() => box.open('totp', next.seal('totp', 'x'))).toThrow()
  expect(box.verify('link', 'guide-1', next.sign('link', 'guide-1'))).toBe(false)
})

test('a data directory’s secret is generated once and readable only by its owner', () => {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-secret-'))
  const file = join(directory, 'deeper', 'secret.key')
  const first = loadSecret({ kind: 'file', file })
  expect(first.length).toBeGreaterThanOrEqual(32)
  expect(loadSecret({ kind: 'file', file })).toBe(first)
  expect(statSync(file).mode & 0o077).toBe(0)
  rmSync(directory, { recursive: true })
})

test('an empty or truncated secret file is refused', () => {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-secret-'))
  const file = join(directory, 'secret.key')
  for (const left of ['', 'abc', '\n']) {
    writeFileSync(file, left)
    expect(() => loadSecret({ kind: 'file', file })).toThrow(/is empty or truncated/)
  }
  rmSync(directory, { recursive: true })
})

test('a secret that can’t be written completely leaves no file behind', () => {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-secret-'))
  const file = join(directory, 'secret.key')
  // A folder with the temporary file's name makes writing it fail.
  mkdirSync(`${file}.${process.pid}`)
  expect(() => loadSecret({ kind: 'file', file })).toThrow()
  expect(readdirSync(directory).filter((name) => name === 'secret.key')).toEqual([])
  rmSync(directory, { recursive: true })
})

test('a sealed text with a truncated tag doesn’t open', () => {
  const bytes = Buffer.from(box.seal('totp', ''), 'base64url')
  expect(() => box.open('totp', bytes.subarray(0, 12 + 4).toString('base64url'))).toThrow()
})
