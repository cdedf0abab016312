import { Hono } from 'hono'
import type { Config } from '#server/config/config.ts'
import { defaultSettings, type SettingsStore } from '#server/config/settings.ts'
import { readClientFiles } from './client-files.ts'
import { isClientRoute, isProtocolPath, isViewAs } from './client-routes.ts'
import { createLandingPage, type LandingOptions } from './landing-page.ts'
import type { AppEnv } from './principal.ts'
import { sendFile } from './send-file.ts'
import { createSiteDocuments, type ReadImage } from './site-documents.ts'

/** True for page navigations. Images, scripts and tools get JSON errors. */
export const wantsHtml = (accept: string | undefined) => /\btext\/html\b/i.test(accept ?? '')

export type StaticPagesOptions = {
  directory: string
  mode: Config['mode']
  /** Default: that of a new sandbox. */
  publicUrl?: string
  trialDays?: number
  /** Default: the settings of a new publication. */
  settings?: SettingsStore
  /** Keeps the landing page's samples up to date. Without it, they are those of the build. */
  landing?: LandingOptions
  /** Reads the uploaded app icon. */
  readImage?: ReadImage
  /** Where an address leads that has no page. */
  findRedirect?: (path: string) => Promise<{ to: string; permanent: boolean } | null>
}

/**
 * Serves the client build from memory. Requests never access the file system, so path traversal is impossible.
 */
export async function staticPages({
  directory,
  mode,
  publicUrl = 'http://localhost:3000',
  trialDays = 0,
  settings = defaultSettings(),
  landing,
  readImage,
  findRedirect,
}: StaticPagesOptions): Promise<Hono<AppEnv>> {
  const variables = { mode, publicUrl, settings, trialDays }
  const files = readClientFiles(directory)
  const readDocuments = await createSiteDocuments(directory, files, variables, readImage)
  const readLanding = landing ? await createLandingPage(landing, variables) : null
  return new Hono<AppEnv>().get('*', async (c, next) => {
    const { path } = c.req
    if (readLanding && path === '/landing-samples.json') return sendFile(c, (await readLanding()).samples, 200)
    const documents = await readDocuments()
    if (path === '/') {
      const page = (await readLanding?.())?.page ?? documents.index
      if (page) return sendFile(c, page, 200)
    }
    const file = path.endsWith('.html') ? undefined : (documents.named.get(path) ?? files.get(path))
    if (file) return sendFile(c, file, 200)
    const { shell } = documents
    if (isProtocolPath(path)) return next()
    if (shell && isViewAs(path) && documents.viewAs) return sendFile(c, documents.viewAs, 200)
    if (shell && isClientRoute(path)) return sendFile(c, shell, 200)
    const redirect = await findRedirect?.(path)
    if (redirect) {
      const { search } = new URL(c.req.url)
      const target = redirect.to.includes('?') ? redirect.to : redirect.to.replace(/(?=#|$)/, () => search)
      return c.redirect(target, redirect.permanent ? 301 : 302)
    }
    if (!shell) return next()
    return wantsHtml(c.req.header('accept')) ? sendFile(c, shell, 404) : next()
  })
}
