import { Hono } from 'hono'
import type { Config } from '#server/config/config.ts'
import { answerFile } from './answer-file.ts'
import type { AppEnv } from './app-env.ts'
import { readClientFiles } from './client-files.ts'
import { isClientRoute, isProtocolPath } from './client-routes.ts'
import { createLandingPage, type LandingOptions } from './landing-page.ts'
import { wantsHtml } from './wants-html.ts'

export type StaticPagesOptions = {
  directory: string
  mode: Config['mode']
  trialDays?: number
  /** Keeps the samples of the landing page as they are published; without it they stay those of the build. */
  landing?: LandingOptions
}

/**
 * The built pages. Everything is read once at start into memory, so a request can only name what is there: no path is
 * ever resolved against the disk, and traversal and dotfiles do not exist.
 */
export async function staticPages({
  directory,
  mode,
  trialDays = 0,
  landing,
}: StaticPagesOptions): Promise<Hono<AppEnv>> {
  const files = await readClientFiles(directory, { mode, trialDays })
  const index = files.get('/index.html')
  const shell = files.get('/shell.html') ?? index
  const readLanding = landing ? await createLandingPage(landing, { mode, trialDays }, index) : null
  return new Hono<AppEnv>().get('*', async (c, next) => {
    const { path } = c.req
    if (readLanding && path === '/') return answerFile(c, (await readLanding()).page, 200)
    if (readLanding && path === '/landing-samples.json') return answerFile(c, (await readLanding()).samples, 200)
    if (path === '/' && index) return answerFile(c, index, 200)
    const file = path.endsWith('.html') ? undefined : files.get(path)
    if (file) return answerFile(c, file, 200)
    if (isProtocolPath(path) || !shell) return next()
    if (isClientRoute(path)) return answerFile(c, shell, 200)
    return wantsHtml(c.req.header('accept')) ? answerFile(c, shell, 404) : next()
  })
}
