import { describe, expect, test } from 'vitest'
import { createEncodingDetector, decodeText } from './file-encoding.ts'
import { type CsvRecord, detectDelimiter, readCsv } from './read-csv.ts'

async function* pieces<T>(...all: T[]) {
  yield* all
}

async function read(text: string, delimiter = ',') {
  const found: CsvRecord[] = []
  for await (const record of readCsv(pieces(text), delimiter)) found.push(record)
  return found.map(({ line, values, problem }) => [line, values ?? problem])
}

test('records start at the line that an editor shows', async () => {
  expect(await read('a,b\n1,2\n\n3,"x\ny"\r\n5,6,7\n8')).toEqual([
    [1, ['a', 'b']],
    [2, ['1', '2']],
    [4, ['3', 'x\ny']],
    [6, ['5', '6', '7']],
    [7, ['8']],
  ])
})

test('a line of nothing but separators is refused, and the lines after it are read', async () => {
  const found: CsvRecord[] = []
  const commas = Array.from({ length: 40 }, () => ','.repeat(100_000))
  for await (const record of readCsv(pieces('a,b\n1,2\n', ...commas, ',\n3,4\n'), ',')) found.push(record)
  expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4])
  expect(found[2]?.problem).toBe('This line is far too long.')
  expect(found[3]?.values).toEqual(['3', '4'])
})

describe('broken quotation marks', () => {
  test('an unclosed one at the end', async () => {
    expect(await read('a,b\n1,2\n3,"open\n4,5\n')).toEqual([
      [1, ['a', 'b']],
      [2, ['1', '2']],
      [3, expect.stringMatching(/isn’t closed/)],
    ])
  })
  test('an unclosed one before many lines', async () => {
    const rest = Array.from({ length: 20_000 }, (_, n) => `${n},x`).join('\n')
    expect(await read(`a,b\n1,"open\n${rest}\n`)).toEqual([
      [1, ['a', 'b']],
      [2, expect.stringMatching(/isn’t closed/)],
    ])
  })
  test('one in the wrong place is part of the value', async () => {
    expect(await read('a,b\n1,fo"o\n3,"x"y\n5, "6"\n')).toEqual([
      [1, ['a', 'b']],
      [2, ['1', 'fo"o']],
      [3, ['3', '"x"y']],
      [4, ['5', ' "6"']],
    ])
  })
  test('one that swallows the next line costs both, and says so', async () => {
    expect(await read('a,b\n1,"open\n3,"4"\n5,6\n')).toEqual([
      [1, ['a', 'b']],
      [2, expect.stringMatching(/Lines 2 to 3 couldn’t be read/)],
      [4, ['5', '6']],
    ])
  })
})

test.each([
  ['a,b;c,d', ','],
  ['a;b;c', ';'],
  ['a\tb\tc,d', '\t'],
  ['"a;b;c;d",e\nf;g;h;i', ','],
  ['email', ','],
])('the separator of %j', (text, delimiter) => {
  expect(detectDelimiter(text)).toBe(delimiter)
})

describe('encodings', () => {
  const text = 'email,name\nzoe@example.test,Zoë Brontë\n'
  const utf16 = (swap: boolean, mark: boolean) => {
    const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le')
    return swap ? bytes.swap16() : bytes
  }
  test.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', utf16(false, true)],
    ['utf-16le', utf16(false, false)],
    ['utf-16be', utf16(true, true)],
    ['utf-16be', utf16(true, false)],
    ['windows-1252', Buffer.from(text, 'latin1')],
  ])('%s', async (encoding, bytes) => {
    const detector = createEncodingDetector()
    const parts = [bytes.subarray(0, 41), bytes.subarray(41)]
    for (const part of parts) detector.read(part)
    expect(detector.end()).toBe(encoding)
    const decoded: string[] = []
    for await (const piece of decodeText(pieces(...parts), encoding as 'utf-8')) decoded.push(piece)
    expect(decoded.join('')).toBe(text)
  })
})

test('Excel’s line that names the separator isn’t the header', async () => {
  const text = 'sep=;\nemail;name,first\na@b.test;Ana\n'
  expect(detectDelimiter(text)).toBe(';')
  expect(await read(text, ';')).toEqual([
    [2, ['email', 'name,first']],
    [3, ['a@b.test', 'Ana']],
  ])
})

test('a note may begin with a quotation mark and have a line break', async () => {
  expect(await read('a,b\n1,"""Great"" she said,\nand left"\n2,x\n')).toEqual([
    [1, ['a', 'b']],
    [2, ['1', '"Great" she said,\nand left']],
    [4, ['2', 'x']],
  ])
})

test('the separator that gives a column for addresses counts, also below empty lines', () => {
  expect(detectDelimiter('Email;Name, first, last\n')).toBe(';')
  expect(detectDelimiter('\r\n\r\nAdresse;Name\r\n')).toBe(';')
  expect(detectDelimiter('"E-mail"\t"Notes, long; short"\n')).toBe('\t')
})

test('one broken character doesn’t change the encoding of a whole file', () => {
  const encodingOf = (bytes: Uint8Array) => {
    const detector = createEncodingDetector()
    detector.read(bytes)
    return detector.end()
  }
  expect(encodingOf(Buffer.concat([Buffer.from('name\nZoë\nJosé\nBr'), Buffer.from([0xc3])]))).toBe('utf-8')
  expect(encodingOf(Buffer.from('name\nZoë\nJosé\n', 'latin1'))).toBe('windows-1252')
})

test.each([70_000, 300_000, 1_000_000])('a cell of %i characters costs its line alone', async (length) => {
  for (const quote of ['', '"']) {
    const text = `a,b\r\n1,${quote}${'x'.repeat(length)}${quote}\r\n3,4\r\n`
    const found: CsvRecord[] = []
    const each = 128 * 1024
    const all = Array.from({ length: Math.ceil(text.length / each) }, (_, n) => text.slice(n * each, (n + 1) * each))
    for await (const record of readCsv(pieces(...all), ',')) found.push(record)
    expect(found.map(({ line, values, problem }) => [line, values ?? problem])).toEqual([
      [1, ['a', 'b']],
      [2, 'This line is far too long.'],
      [3, ['3', '4']],
    ])
  }
})
