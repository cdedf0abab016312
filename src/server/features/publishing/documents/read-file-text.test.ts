import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { extractGuideText } from './extract-guide-text.ts'
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
