import { and, eq, isNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { Hono } from 'hono'
import { complimentaryAccess, guides, subscriptionState, teamSeat, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { isBanned } from '#server/features/auth/sessions/session-row.ts'
import { productsOf } from '#server/features/billing/plan-ids.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { accessOf } from '#shared/domain/entitlement.ts'
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

const ownersSubscription = alias(subscriptionState, 'owners_subscription')

/** The link ends with the account it was made for, with what that account has paid for, and with its seat in a team. */
async function findFileName(deps: DownloadDeps, { guideId, userId }: { guideId: string; userId: string }) {
  const [row] = await deps.database.db
    .select({
      file: guides.file,
      bannedUntil: users.bannedUntil,
      subscription: subscriptionState,
      team: ownersSubscription,
      complimentaryUntil: complimentaryAccess.until,
    })
    .from(guides)
    .innerJoin(users, and(eq(users.id, userId), isNull(users.deletedAt)))
    .leftJoin(subscriptionState, eq(subscriptionState.userId, users.id))
    .leftJoin(teamSeat, eq(teamSeat.userId, users.id))
    .leftJoin(complimentaryAccess, eq(complimentaryAccess.userId, users.id))
    .leftJoin(ownersSubscription, eq(ownersSubscription.userId, teamSeat.ownerId))
    .where(eq(guides.id, guideId))
  if (!row || isBanned({ banned_until: row.bannedUntil }, deps.clock())) throw new AppError('not_found')
  if (!accessOf(row, deps.clock(), productsOf(deps.config)).entitled) throw new AppError('not_subscribed')
  return row.file
}
