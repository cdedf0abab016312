/** The sources of the Playbooks, and a record of what each PDF was printed from. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { edition } from '../../content/guides/source/edition.ts'
import { publicationDefaults as publication } from '../../src/shared/publication-defaults.ts'

export const guidesDirectory = resolve(dirname(fileURLToPath(import.meta.url)), '../../content/guides')

const sourceDirectory = join(guidesDirectory, 'source')

/** JSON file with a source hash for each Playbook; PDFs of two Chromium versions differ, so they can't be compared. */
export const playbookRecord = join(sourceDirectory, 'playbooks.json')

export const playbooks = ['opening-week-playbook', 'review-reputation-playbook'] as const
export type Playbook = (typeof playbooks)[number]

/** Hash of everything that ends up in the PDF, except fonts. */
export async function playbookSourceHash(name: Playbook): Promise<string> {
  const hash = createHash('sha256').update(`${publication.name}\0${edition.toISOString()}`)
  for (const file of [`${name}.html`, 'guides.css']) {
    hash.update(`\0${await readFile(join(sourceDirectory, file), 'utf8')}`)
  }
  return hash.digest('hex')
}

/** The page to print, with its style sheet and fonts inside. */
export async function readPlaybook(name: Playbook): Promise<string> {
  const source = await readFile(join(sourceDirectory, `${name}.html`), 'utf8')
  const title = /<title>(.*?)<\/title>/.exec(source)?.[1]
  if (!title) throw new Error(`${name}.html has no title`)

  const css = await inlineFonts(await readFile(join(sourceDirectory, 'guides.css'), 'utf8'))
  return source
    .replace('<link rel="stylesheet" href="guides.css">', () => `<style>${css}</style>`)
    .replaceAll('{{footer}}', `${publication.name} · ${title}`)
    .replaceAll('{{publication}}', publication.name)
    .replaceAll('{{year}}', `${edition.getUTCFullYear()}`)
}

/** Replaces font URLs with data URLs, so that the page loads no files. */
async function inlineFonts(css: string): Promise<string> {
  const urls = new Set([...css.matchAll(/url\('([^']+\.woff2)'\)/g)].map((match) => match[1] ?? ''))
  let result = css
  for (const url of urls) {
    const font = await readFile(resolve(sourceDirectory, url))
    result = result.replaceAll(`url('${url}')`, `url('data:font/woff2;base64,${font.toString('base64')}')`)
  }
  return result
}
