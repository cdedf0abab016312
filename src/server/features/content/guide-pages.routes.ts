import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'

const directory = fileURLToPath(new URL('../../../../content/guides/pages/', import.meta.url))
const contentTypes: Record<string, string> = { '.png': 'image/png', '.webp': 'image/webp', '.jpg': 'image/jpeg' }

/** Serves page thumbnails of guides. They are public, and too small to read. */
export const guidePageRoutes = () =>
  new Hono<AppEnv>().get('/guide-pages/:file', async (c) => {
    const file = c.req.param('file')
    const contentType = contentTypes[extname(file)]
    if (!contentType || !/^[a-z0-9-]+\.[a-z]+$/.test(file)) throw new AppError('not_found')
    try {
      const bytes = new Uint8Array(await readFile(`${directory}${file}`))
      return c.body(bytes, 200, { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=86400' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new AppError('not_found')
      throw error
    }
  })
