import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wireSizes } from '../../../scripts/build/wire-size.ts'

let directory: string
const code = 'console.log("often the same");'.repeat(2_000)
const packed = brotliCompressSync(code)
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'wire-size-'))
  mkdirSync(join(directory, 'assets'))
  writeFileSync(join(directory, 'assets/a.js'), code)
  writeFileSync(join(directory, 'assets/a.js.br'), packed)
  writeFileSync(join(directory, 'assets/b.js'), code)
})
afterAll(() => rmSync(directory, { recursive: true }))

test('each file’s size is compressed and includes the response headers', async () => {
  const sizes = await wireSizes(directory, ['assets/a.js', 'assets/b.js', 'assets/a.js'])
  const [a = 0, b = 0] = [sizes.get('assets/a.js'), sizes.get('assets/b.js')]
  const headers = b - code.length
  // None of them is a page's policy; allows a line or two for Node's headers.
  expect(headers).toBeGreaterThan(200)
  expect(headers).toBeLessThan(600)
  // Content-Encoding and a longer ETag on one side, a longer length on the other.
  expect(Math.abs(a - packed.length - headers)).toBeLessThan(60)
})

test('a missing file is an error', async () => {
  await expect(wireSizes(directory, ['assets/gone.js'])).rejects.toThrow('/assets/gone.js returned status 404')
})
