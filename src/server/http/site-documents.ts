import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '#server/config/settings.ts'
import { designs, fontFiles } from '#shared/domain/designs.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { renderAppIcons } from './app-icon.ts'
import { type ClientFile, imageFile, type PageVariables, pageFile, textFile } from './client-files.ts'

/** Files of the build that contain the publication's settings. */
export type SiteDocuments = {
  index: ClientFile | undefined
  shell: ClientFile | undefined
  /** The shell for staff who view the portal as a member. */
  viewAs: ClientFile | undefined
  /** By URL path. */
  named: ReadonlyMap<string, ClientFile>
}

/** At the best quality, the pages of a start take half a second of processor time; at this one a hundredth, and 12 % more bytes. */
const quickBrotli = 5
/** After this time a start is over. */
const startMs = 2_000

const manifestPath = '/manifest.webmanifest'
const workerPath = '/sw.js'

/** Stands in sw.js after the revisions of files that contain settings. */
const settingsMark = '__SETTINGS__'

/** Before everything else, because it replaces the tab's storage. */
const viewAsScript = '<script src="/view-as.js"></script>'

/** The uploaded file at a path below /media; null if it is gone. */
export type ReadImage = (path: string) => Promise<Uint8Array | null>

/** Reads the files once and fills them again when a setting has changed. */
export async function createSiteDocuments(
  directory: string,
  files: ReadonlyMap<string, ClientFile>,
  variables: PageVariables,
  readImage: ReadImage = async () => null,
): Promise<() => Promise<SiteDocuments>> {
  const read = (path: string) => (files.has(path) ? readFileSync(join(directory, path), 'utf8') : null)
  const [index, shell, manifest, worker] = ['/index.html', '/shell.html', manifestPath, workerPath].map(read)

  async function fill(brotliQuality?: number): Promise<SiteDocuments> {
    const [indexPage, shellPage, viewAs, ...named] = await Promise.all([
      index ? pageFile(index, variables, { brotliQuality }) : undefined,
      shell ? pageFile(shell, variables, { brotliQuality }) : undefined,
      shell ? pageFile(shell.replace('<head>', `<head>${viewAsScript}`), variables, { brotliQuality }) : undefined,
      ...(manifest ? [fillManifest(manifest, settings).then((file) => [manifestPath, file] as const)] : []),
      ...(worker ? [fillWorker(worker, settings, brotliQuality).then((file) => [workerPath, file] as const)] : []),
    ])
    const icons = await fillIcons(readImage, settings)
    return { index: indexPage, shell: shellPage ?? indexPage, viewAs, named: new Map([...named, ...icons]) }
  }

  const { settings } = variables
  let { publication, appIcon } = settings
  const quick = fill(quickBrotli)
  let current = quick
  await current
  setTimeout(async () => {
    const best = fill()
    // If it fails, the larger ones stay.
    await best.catch(() => {})
    if (current === quick) current = best.catch(() => quick)
  }, startMs).unref()
  return () => {
    if (publication !== settings.publication || appIcon !== settings.appIcon) {
      ;({ publication, appIcon } = settings)
      const previous = current
      current = fill().catch(() => previous)
    }
    return current
  }
}

/** The app icon in the sizes of the build's. Without one, or if its file can't be read, the build's stay. */
async function fillIcons(readImage: ReadImage, { appIcon }: Settings): Promise<[string, ClientFile][]> {
  const image = appIcon ? await readImage(appIcon).catch(() => null) : null
  if (!image) return []
  return (await renderAppIcons(image)).map(([name, content]) => [name, imageFile(name, content)])
}

async function fillManifest(text: string, { publication }: Settings): Promise<ClientFile> {
  const { name, description, look } = publication
  const [paper, charcoal] = [designs[look.design].light.paper, designs[look.design].dark.paper]
  const manifest = {
    ...(JSON.parse(text) as object),
    ...{ name, short_name: name, description, background_color: paper, theme_color: paper },
    user_preferences: { color_scheme: { dark: { background_color: charcoal, theme_color: charcoal } } },
  }
  return {
    ...(await textFile(JSON.stringify(manifest), '.webmanifest')),
    cacheControl: 'public, max-age=300, must-revalidate',
  }
}

/** An entry of the worker's list of files, which no font is the first of. */
const fontEntry = /,\{[^{}]*\/([a-z-]+-latin-[a-z]+)-normal-[^{}]*\}/g

/** The worker changes with the settings, so that browsers fetch its files again, and keeps the fonts of the design. */
async function fillWorker(
  text: string,
  { publication, appIcon }: Settings,
  brotliQuality?: number,
): Promise<ClientFile> {
  const values = JSON.stringify([publication, appIcon])
  const isDefault = values === JSON.stringify([publicationDefaults, ''])
  const mark = isDefault ? '' : createHash('sha256').update(values).digest('base64url').slice(0, 8)
  const isUsed = (font: string) => fontFiles[publication.look.fonts].includes(font)
  const worker = text.replaceAll(settingsMark, mark).replaceAll(fontEntry, (entry, font) => (isUsed(font) ? entry : ''))
  return { ...(await textFile(worker, '.js', brotliQuality)), isSubresource: true }
}
