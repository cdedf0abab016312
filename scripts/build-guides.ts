/**
 * Rebuilds the four downloadable guides in content/guides from their sources:
 *
 *   node scripts/build-guides.ts            all four
 *   node scripts/build-guides.ts scorecard  only those whose file name contains "scorecard"
 *
 * The built files are committed, so the server needs neither Chromium nor this script. Only the Playbooks need Chromium:
 * set CHROME_PATH if it isn't in one of the usual places.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { buildScorecard } from '../content/guides/source/ai-pilot-scorecard.ts'
import { buildUsePolicy } from '../content/guides/source/ai-use-policy.ts'
import { publication } from '../src/shared/publication.ts'
import { ensureChromium, quietChromium } from './chromium.ts'

const guidesDir = resolve(dirname(fileURLToPath(import.meta.url)), '../content/guides')
const sourceDir = join(guidesDir, 'source')

/** Publication details in the files. Rebuild all four after changing them. */
const imprint = {
  publication: publication.name,
  /** The date in every file, fixed so that builds are reproducible. */
  edition: new Date('2025-03-03T00:00:00Z'),
}

/** A larger file probably contains a font or image by mistake. */
const maxBytes = 600_000

const builders: Record<string, () => Promise<Uint8Array>> = {
  'opening-week-playbook.pdf': () => buildPlaybook('opening-week-playbook'),
  'ai-use-policy.docx': () => buildUsePolicy(imprint),
  'review-reputation-playbook.pdf': () => buildPlaybook('review-reputation-playbook'),
  'ai-pilot-scorecard.xlsx': () => buildScorecard(imprint),
}

/** Prints source/<name>.html as a tagged PDF with an outline and a footer. */
async function buildPlaybook(name: string): Promise<Uint8Array> {
  const source = await readFile(join(sourceDir, `${name}.html`), 'utf8')
  const title = /<title>(.*?)<\/title>/.exec(source)?.[1]
  if (!title) throw new Error(`${name}.html has no title`)

  const css = await inlineFonts(await readFile(join(sourceDir, 'guides.css'), 'utf8'))
  const html = source
    .replace('<link rel="stylesheet" href="guides.css">', () => `<style>${css}</style>`)
    .replaceAll('{{footer}}', `${imprint.publication} · ${title}`)
    .replaceAll('{{publication}}', imprint.publication)

  const browser = await chromium.launch({ executablePath: ensureChromium(), args: quietChromium })
  try {
    const page = await browser.newPage()
    await page.setContent(html)
    // Otherwise the PDF may be printed in the fallback font.
    await page.evaluate('document.fonts.ready')
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true })
    return withFixedDates(pdf)
  } finally {
    await browser.close()
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
  const stamp = imprint.edition.toISOString().replace(/\D/g, '').slice(0, 14)
  const text = Buffer.from(pdf).toString('latin1')
  return Buffer.from(text.replace(/(\/(?:CreationDate|ModDate) \(D:)\d{14}/g, `$1${stamp}`), 'latin1')
}

const wanted = process.argv[2] ?? ''
await mkdir(guidesDir, { recursive: true })
for (const [file, build] of Object.entries(builders)) {
  if (!file.includes(wanted)) continue
  const bytes = await build()
  if (bytes.byteLength > maxBytes) throw new Error(`${file} has ${bytes.byteLength} bytes, more than ${maxBytes}`)
  await writeFile(join(guidesDir, file), bytes)
  console.log(`${file}  ${Math.round(bytes.byteLength / 1000)} kB`)
}
