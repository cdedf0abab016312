import { describe, expect, test } from 'vitest'
import { chooseRange } from './byte-range.ts'

const choose = (range: string | undefined, ifRange?: string) => chooseRange(1_000, { range, ifRange, etag: '"a"' })

describe('the bytes that a request asks for', () => {
  test.each([
    ['bytes=0-0', { from: 0, to: 1 }],
    ['bytes=0-', { from: 0, to: 1_000 }],
    ['bytes=500-599', { from: 500, to: 600 }],
    ['Bytes=999-5000', { from: 999, to: 1_000 }],
    ['bytes=-100', { from: 900, to: 1_000 }],
    ['bytes=-5000', { from: 0, to: 1_000 }],
  ])('%s is a part', (range, part) => expect(choose(range)).toEqual(part))

  test.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'bytes=0-1,5-6',
    'items=0-1',
    'bytes 0-1',
    'bytes=1.5-2',
  ])('%s is the whole file', (range) => expect(choose(range)).toBeNull())

  test.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    '%s can’t be answered',
    (range) => expect(choose(range)).toBe('unsatisfiable'),
  )

  test('of a file that has changed, everything is sent', () => {
    expect(choose('bytes=0-9', '"a"')).toEqual({ from: 0, to: 10 })
    expect(choose('bytes=0-9', '"b"')).toBeNull()
    expect(choose('bytes=0-9', 'W/"a"')).toBeNull()
    expect(choose('bytes=0-9', 'Wed, 21 Oct 2026 07:28:00 GMT')).toBeNull()
  })
})
