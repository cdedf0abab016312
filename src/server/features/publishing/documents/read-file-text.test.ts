import { readdir, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import yazl from 'yazl'
import { extractGuideText } from './guide-files.ts'
import { readFileText } from './read-file-text.ts'

const guides = new URL('../../../../../content/guides/', import.meta.url)

test('the texts beside our guides are those of the files', async () => {
  const files = (await readdir(guides)).filter((name) => /\.(?:pdf|docx|xlsx)$/.test(name))
  expect(files).toHaveLength(4)
  for (const name of files) {
    const text = await readFile(new URL(`text/${name}.txt`, guides), 'utf8')
    expect(`${await readFileText(await readFile(new URL(name, guides)))}\n`, name).toBe(text)
    expect(text.length, name).toBeGreaterThan(5_000)
  }
})

test('a file that can’t be read has no text, and nothing stops', { timeout: 30_000 }, async () => {
  const docx = await readFile(new URL('ai-use-policy.docx', guides))
  const broken = Buffer.from(docx)
  broken.fill(0xff, 200, 4_000)
  for (const file of [Buffer.from('%PDF-1.7\nbroken'), broken, docx.subarray(0, 5_000), Buffer.alloc(0)]) {
    expect(await extractGuideText(file)).toBe('')
  }
  expect(await extractGuideText(docx)).toContain('AI Use Policy')
})

test('a workbook is read up to 20 MB of all its sheets, so that a small file can’t fill the memory', async () => {
  const workbook = (sheets: number) => {
    const zip = new yazl.ZipFile()
    for (const path of ['[Content_Types].xml', 'xl/workbook.xml']) zip.addBuffer(Buffer.from('<x/>'), path)
    const sheet = Buffer.from(`<t>Total</t></is>${' '.repeat(9_000_000)}`)
    for (let n = 1; n <= sheets; n += 1) zip.addBuffer(sheet, `xl/worksheets/sheet${n}.xml`)
    zip.end()
    return buffer(zip.outputStream as Readable)
  }
  expect(await readFileText(await workbook(2))).toBe('Total\nTotal')
  await expect(readFileText(await workbook(3))).rejects.toThrow(RangeError)
})
