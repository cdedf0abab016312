import { and, eq, isNull } from 'drizzle-orm'
import { Hono } from 'hono'
import { guides, subscriptionState, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import { AppError } from '#shared/errors.ts'
import { openDownload } from './download-link.ts'
import { readGuideFile } from './guide-file.ts'

type DownloadDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

/** Where a download link leads. A browser follows it without a bearer, so the sealed token is what gives the right. */
export const downloadRoutes = (deps: DownloadDeps) =>
  new Hono<AppEnv>()
    .get('/downloads/:token', async (c) => {
      const claims = openDownload(deps, c.req.param('token'))
      const file = await readGuideFile(await findFileName(deps, claims))
      if (!file) throw new AppError('not_found')
      return c.body(file.bytes, 200, {
        'Content-Type': file.contentType,
        'Content-Length': String(file.bytes.byteLength),
        'Content-Disposition': `attachment; filename="${file.name}"`,
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex',
      })
    })
    .all('/downloads/*', () => {
      throw new AppError('not_found')
    })

/** The link ends with the account it was made for, and with what that account has paid for. */
async function findFileName(deps: DownloadDeps, { guideId, userId }: { guideId: string; userId: string }) {
  const [row] = await deps.database.db
    .select({ file: guides.file, subscription: subscriptionState })
    .from(guides)
    .innerJoin(users, and(eq(users.id, userId), isNull(users.deletedAt)))
    .leftJoin(subscriptionState, eq(subscriptionState.userId, users.id))
    .where(eq(guides.id, guideId))
  if (!row) throw new AppError('not_found')
  const productIds = new Set(Object.values(deps.config.stripe.ids).map(({ productId }) => productId))
  if (!entitlement(row.subscription, deps.clock(), productIds).entitled) throw new AppError('not_subscribed')
  return row.file
}
