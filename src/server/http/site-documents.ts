import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publication, publicationRevision } from '#shared/publication.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { appIconPath, renderAppIcons } from './app-icon.ts'
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

  async function fill(): Promise<SiteDocuments> {
    const [indexPage, shellPage, viewAs, ...named] = await Promise.all([
      index ? pageFile(index, variables) : undefined,
      shell ? pageFile(shell, variables) : undefined,
      shell ? pageFile(shell.replace('<head>', `<head>${viewAsScript}`), variables) : undefined,
      ...(manifest ? [fillManifest(manifest).then((file) => [manifestPath, file] as const)] : []),
      ...(worker ? [fillWorker(worker).then((file) => [workerPath, file] as const)] : []),
    ])
    const icons = await fillIcons(readImage)
    return { index: indexPage, shell: shellPage ?? indexPage, viewAs, named: new Map([...named, ...icons]) }
  }

  const currentRevision = () => `${publicationRevision()} ${appIconPath()}`
  let revision = currentRevision()
  let current = fill()
  await current
  return () => {
    if (revision !== currentRevision()) {
      revision = currentRevision()
      const previous = current
      current = fill().catch(() => previous)
    }
    return current
  }
}

/** The app icon in the sizes of the build's. Without one, or if its file can't be read, the build's stay. */
async function fillIcons(readImage: ReadImage): Promise<[string, ClientFile][]> {
  const path = appIconPath()
  const image = path ? await readImage(path).catch(() => null) : null
  if (!image) return []
  return (await renderAppIcons(image)).map(([name, content]) => [name, imageFile(name, content)])
}

const isDefault = () => appIconPath() === '' && JSON.stringify(publication) === JSON.stringify(publicationDefaults)

async function fillManifest(text: string): Promise<ClientFile> {
  const { name, description } = publication
  const manifest = { ...(JSON.parse(text) as object), name, short_name: name, description }
  return {
    ...(await textFile(JSON.stringify(manifest), '.webmanifest')),
    cacheControl: 'public, max-age=300, must-revalidate',
  }
}

/** The worker changes with the settings, so that browsers fetch its files again. */
async function fillWorker(text: string): Promise<ClientFile> {
  const hash = () =>
    createHash('sha256')
      .update(JSON.stringify([publication, appIconPath()]))
      .digest('base64url')
      .slice(0, 8)
  const mark = isDefault() ? '' : hash()
  return { ...(await textFile(text.replaceAll(settingsMark, mark), '.js')), isSubresource: true }
}
