/**
 * Rebuilds the downloadable files from their sources: the four guides in content/guides, pictures of their pages in
 * content/guides/pages, and the test sheets in content/tools.
 *
 *   node scripts/build-guides.ts            everything
 *   node scripts/build-guides.ts scorecard  only files whose name contains "scorecard"
 *
 * The built files are committed, so the server needs none of this. Guides need Chromium (set CHROME_PATH if it isn't in
 * one of the usual places), their pictures also pdftoppm.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from '@playwright/test'
import { buildScorecard, scorecard } from '../content/guides/source/ai-pilot-scorecard.ts'
import { buildUsePolicy } from '../content/guides/source/ai-use-policy.ts'
import { edition } from '../content/guides/source/edition.ts'
import { workbookHtml } from '../content/guides/source/workbook-html.ts'
import { toolTests } from '../content/tools/source/test-inputs.ts'
import { buildTestSheet } from '../content/tools/source/test-sheet.ts'
import { publication } from '../src/shared/publication.ts'
import { writePages } from './build/guide-pages.ts'
import { ensureChromium, quietChromium } from './chromium.ts'

const contentDir = resolve(dirname(fileURLToPath(import.meta.url)), '../content')
const guidesDir = join(contentDir, 'guides')
const sourceDir = join(guidesDir, 'source')
const pagesDir = join(guidesDir, 'pages')
const toolsDir = join(contentDir, 'tools')

/** Publication details in the files. Rebuild all files after changing them. */
const imprint = { publication: publication.name, edition }

/** A larger file probably contains a font or image by mistake. */
const maxBytes = 600_000

if (edition.getUTCFullYear() !== new Date().getFullYear()) {
  throw new Error('The files state the year they were built in: set the date in content/guides/source/edition.ts.')
}

let browser: Browser | undefined
const wanted = process.argv[2] ?? ''
await mkdir(pagesDir, { recursive: true })
try {
  for (const name of ['opening-week-playbook', 'review-reputation-playbook']) {
    if (!name.includes(wanted)) continue
    const pdf = await printPdf(await playbookHtml(name), { tagged: true })
    await save(guidesDir, `${name}.pdf`, pdf)
    await savePages(name, pdf)
  }
  if ('ai-use-policy'.includes(wanted)) {
    await save(guidesDir, 'ai-use-policy.docx', await buildUsePolicy(imprint))
  }
  if ('ai-pilot-scorecard'.includes(wanted)) {
    await save(guidesDir, 'ai-pilot-scorecard.xlsx', buildScorecard(imprint))
    await savePages('ai-pilot-scorecard', await printPdf(workbookHtml(scorecard(imprint))))
  }
} finally {
  await browser?.close()
}
for (const test of toolTests) {
  const file = `${test.id}-test.xlsx`
  if (file.includes(wanted)) await save(toolsDir, file, buildTestSheet(test, imprint))
}

async function save(directory: string, file: string, bytes: Uint8Array) {
  if (bytes.byteLength > maxBytes) throw new Error(`${file} has ${bytes.byteLength} bytes, more than ${maxBytes}`)
  await writeFile(join(directory, file), bytes)
  console.log(`${file}  ${Math.round(bytes.byteLength / 1000)} kB`)
}

async function savePages(name: string, pdf: Uint8Array) {
  const pages = await writePages(pagesDir, name, pdf)
  console.log(`${name}  ${pages.length} pages`)
}

/** source/<name>.html with its style sheet and fonts inside. */
async function playbookHtml(name: string): Promise<string> {
  const source = await readFile(join(sourceDir, `${name}.html`), 'utf8')
  const title = /<title>(.*?)<\/title>/.exec(source)?.[1]
  if (!title) throw new Error(`${name}.html has no title`)

  const css = await inlineFonts(await readFile(join(sourceDir, 'guides.css'), 'utf8'))
  return source
    .replace('<link rel="stylesheet" href="guides.css">', () => `<style>${css}</style>`)
    .replaceAll('{{footer}}', `${imprint.publication} · ${title}`)
    .replaceAll('{{publication}}', imprint.publication)
    .replaceAll('{{year}}', `${edition.getUTCFullYear()}`)
}

/** Prints a page; a tagged PDF also gets an outline. */
async function printPdf(html: string, { tagged = false } = {}): Promise<Uint8Array> {
  browser ??= await chromium.launch({ executablePath: ensureChromium(), args: quietChromium })
  const page = await browser.newPage()
  try {
    await page.setContent(html)
    // Otherwise the PDF may be printed in the fallback font.
    await page.evaluate('document.fonts.ready')
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged, outline: tagged })
    return withFixedDates(pdf)
  } finally {
    await page.close()
  }
}

/** Replaces font URLs with data URLs, so that the page loads no files. */
async function inlineFonts(css: string): Promise<string> {
  const urls = new Set([...css.matchAll(/url\('([^']+\.woff2)'\)/g)].map((match) => match[1] ?? ''))
  let result = css
  for (const url of urls) {
    const font = await readFile(resolve(sourceDir, url))
    result = result.replaceAll(`url('${url}')`, `url('data:font/woff2;base64,${font.toString('base64')}')`)
  }
  return result
}

/** Replaces the dates that Chromium writes; they are plain text of fixed length. */
function withFixedDates(pdf: Uint8Array): Uint8Array {
  const stamp = edition.toISOString().replace(/\D/g, '').slice(0, 14)
  const text = Buffer.from(pdf).toString('latin1')
  return Buffer.from(text.replace(/(\/(?:CreationDate|ModDate) \(D:)\d{14}/g, `$1${stamp}`), 'latin1')
}
