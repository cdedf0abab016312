import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { guides, tools } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { AppError } from '#shared/errors.ts'
import { createDownloadToken } from './download-token.ts'
import { recordItemUse } from './record-item-use.ts'

type DownloadDeps = Pick<Deps, 'database' | 'config' | 'secrets' | 'clock'>

/**
 * Counts the download and returns a link to the file. Fetching the file isn't counted: scanners and download managers
 * fetch a link more than once.
 * @throws AppError not_found
 */
export async function startDownload(deps: DownloadDeps, userId: string, guideId: string, { isBought = false } = {}) {
  if (!/^[a-z0-9-]+$/.test(guideId)) throw new AppError('not_found')
  const [counted] = await deps.database.db
    .update(guides)
    .set({ downloads: sql`${guides.downloads} + 1` })
    .where(and(eq(guides.id, guideId), isBought ? undefined : isNotNull(guides.publishedAt)))
    .returning({ downloads: guides.downloads })
  if (!counted) throw new AppError('not_found')
  await recordItemUse(deps.database.db, userId, { kind: 'guide', id: guideId, use: 'downloaded' }, deps.clock())
  const token = createDownloadToken(deps, { guideId, userId })
  return { url: `${deps.config.publicUrl}/downloads/${token}`, downloads: counted.downloads }
}

/** Returns a link to the test sheet of a tool. @throws AppError not_found */
export async function startTestSheetDownload(deps: DownloadDeps, userId: string, toolId: string) {
  if (!/^[a-z0-9-]+$/.test(toolId)) throw new AppError('not_found')
  const isThere = and(eq(tools.id, toolId), isNotNull(tools.publishedAt), isNotNull(tools.testSheet))
  if ((await deps.database.db.$count(tools, isThere)) === 0) throw new AppError('not_found')
  await recordItemUse(deps.database.db, userId, { kind: 'tool', id: toolId, use: 'downloaded' }, deps.clock())
  return { url: `${deps.config.publicUrl}/downloads/${createDownloadToken(deps, { guideId: '', toolId, userId })}` }
}
