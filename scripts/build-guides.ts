/**
 * Rebuilds the downloadable files from their sources: the four guides in content/guides, pictures of their pages in
 * content/guides/pages, their texts for search in content/guides/text, the test sheets in
 * content/tools, and the logs in content/sheets.
 *
 *   node scripts/build-guides.ts            everything
 *   node scripts/build-guides.ts scorecard  only files whose name contains "scorecard"
 *
 * The built files are committed, so the server needs none of this. Guides need Chromium (set CHROME_PATH if it isn't in
 * one of the usual places), their pictures also pdftoppm.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { buildScorecard, scorecard, sheetsWithoutPicture } from '../content/guides/source/ai-pilot-scorecard.ts'
import { buildUsePolicy } from '../content/guides/source/ai-use-policy.ts'
import { edition } from '../content/guides/source/edition.ts'
import { policyHtml } from '../content/guides/source/policy-html.ts'
import { workbookHtml } from '../content/guides/source/workbook-html.ts'
import { buildLog, logNames } from '../content/sheets/source/logs.ts'
import { toolTests } from '../content/tools/source/test-inputs.ts'
import { buildTestSheet } from '../content/tools/source/test-sheet.ts'
import { readFileText } from '../src/server/features/publishing/documents/read-file-text.ts'
import { publicationDefaults as publication } from '../src/shared/publication-defaults.ts'
import { writePages } from './build/guide-pages.ts'
import {
  guidesDirectory,
  playbookRecord,
  playbookSourceHash,
  playbooks,
  readPlaybook,
} from './build/playbook-source.ts'
import { ensureChromium, quietChromium } from './chromium.ts'

/** Plain texts of the guides, which search reads. */
const textDirectory = join(guidesDirectory, 'text')
const pagesDirectory = join(guidesDirectory, 'pages')
const toolsDirectory = join(guidesDirectory, '../tools')
const sheetsDirectory = join(guidesDirectory, '../sheets')

/** Publication details in the files. Rebuild all files after changing them. */
const imprint = { publication: publication.name, edition }

/** A larger file probably contains a font or image by mistake. */
const maxBytes = 600_000

if (edition.getUTCFullYear() !== new Date().getFullYear()) {
  throw new Error('The files state the year they were built in: set the date in content/guides/source/edition.ts.')
}

let browser: Browser | undefined
const wanted = process.argv[2] ?? ''
await mkdir(pagesDirectory, { recursive: true })
await mkdir(textDirectory, { recursive: true })
try {
  const printedFrom: Record<string, string> = JSON.parse(await readFile(playbookRecord, 'utf8'))
  for (const name of playbooks) {
    if (!name.includes(wanted)) continue
    const pdf = await printPdf(await readPlaybook(name), { tagged: true })
    await save(guidesDirectory, `${name}.pdf`, pdf)
    await savePages(name, pdf)
    printedFrom[name] = await playbookSourceHash(name)
  }
  await writeFile(playbookRecord, `${JSON.stringify(printedFrom, null, 2)}\n`)
  if ('ai-use-policy'.includes(wanted)) {
    await save(guidesDirectory, 'ai-use-policy.docx', await buildUsePolicy(imprint))
    await savePages('ai-use-policy', await printPdf(policyHtml(imprint)))
  }
  if ('ai-pilot-scorecard'.includes(wanted)) {
    await save(guidesDirectory, 'ai-pilot-scorecard.xlsx', buildScorecard(imprint))
    const book = scorecard(imprint)
    const sheets = book.sheets.filter(({ name }) => !sheetsWithoutPicture.includes(name))
    await savePages('ai-pilot-scorecard', await printPdf(workbookHtml({ ...book, sheets })))
  }
} finally {
  await browser?.close()
}
for (const test of toolTests) {
  const file = `${test.id}-test.xlsx`
  if (file.includes(wanted)) await save(toolsDirectory, file, buildTestSheet(test, imprint))
}
for (const name of logNames) {
  if (`${name}.xlsx`.includes(wanted)) await save(sheetsDirectory, `${name}.xlsx`, buildLog(name, imprint))
}

async function save(directory: string, file: string, bytes: Uint8Array) {
  if (bytes.byteLength > maxBytes) throw new Error(`${file} is ${bytes.byteLength} bytes; the limit is ${maxBytes}`)
  await writeFile(join(directory, file), bytes)
  if (directory === guidesDirectory)
    await writeFile(join(textDirectory, `${file}.txt`), `${await readFileText(bytes)}\n`)
  console.log(`${file}  ${Math.round(bytes.byteLength / 1000)} kB`)
}

async function savePages(name: string, pdf: Uint8Array) {
  const pages = await writePages(pagesDirectory, name, pdf)
  console.log(`${name}  ${pages.length} pages`)
}

/** Prints a page; a tagged PDF also gets an outline. */
async function printPdf(html: string, { tagged = false } = {}): Promise<Uint8Array> {
  browser ??= await chromium.launch({ executablePath: ensureChromium(), args: quietChromium })
  const page = await browser.newPage()
  try {
    await page.setContent(html)
    // Without this, the PDF may be printed in the fallback font.
    await page.evaluate('document.fonts.ready')
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged, outline: tagged })
    return withFixedDates(pdf)
  } finally {
    await page.close()
  }
}

/** Replaces the dates that Chromium writes; they are plain text of fixed length. */
function withFixedDates(pdf: Uint8Array): Uint8Array {
  const stamp = edition.toISOString().replace(/\D/g, '').slice(0, 14)
  const text = Buffer.from(pdf).toString('latin1')
  return Buffer.from(text.replace(/(\/(?:CreationDate|ModDate) \(D:)\d{14}/g, `$1${stamp}`), 'latin1')
}
