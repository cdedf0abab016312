import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { contentItems, shareLinks } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { readProfileValues } from '#server/features/reader/business-profile/read-business-profile.ts'
import { receiptMonth } from '#shared/contracts/reader/receipts.ts'
import {
  maxShareLinksPerDay,
  type ShareLink,
  type shareItemCall,
  shareLinkHours,
} from '#shared/contracts/reader/sharing.ts'
import { hourMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'

const tokenBytes = 32
export const isShareToken = (token: string) => /^[\w-]{43}$/.test(token)
export const hashShareToken = (token: string) => createHash('sha256').update(token).digest('hex')

type SharingDeps = Pick<Deps, 'config' | 'database' | 'clock'>

/** @throws AppError not_found for an item that readers can't open; over_request_rate_limit */
export async function createShareLink(
  { config, database, clock }: SharingDeps,
  userId: string,
  { kind, id, showsBusiness }: z.output<typeof shareItemCall.input>,
): Promise<z.input<typeof shareItemCall.output>> {
  const now = clock()
  const token = randomBytes(tokenBytes).toString('base64url')
  const row = {
    id: crypto.randomUUID(),
    userId,
    tokenHash: hashShareToken(token),
    kind,
    itemId: id,
    showsBusiness,
    createdAt: now,
    expiresAt: new Date(now.getTime() + shareLinkHours * hourMs),
  }
  const title = await database.db.transaction(async (tx) => {
    const isIt = and(eq(contentItems.id, id), isNull(contentItems.removedAt))
    const [item] =
      kind === 'receipt'
        ? [{ title: '' }]
        : await tx
            .select({ title: contentItems.title })
            .from(contentItems)
            .where(and(eq(contentItems.kind, kind), isIt))
    if (!item || (kind === 'receipt' && !receiptMonth.safeParse(id).success)) throw new AppError('not_found')
    const { points } = await consumePoint(tx, userCounterKey(userId, 'share'), 24 * 60 * 60, now)
    if (points > maxShareLinksPerDay) {
      throw new AppError('over_request_rate_limit', {
        message: `You can create ${maxShareLinksPerDay} links a day. Try again tomorrow.`,
      })
    }
    await tx.delete(shareLinks).where(and(eq(shareLinks.userId, userId), lt(shareLinks.expiresAt, now)))
    await tx.insert(shareLinks).values(row)
    return item.title
  })
  return { url: new URL(`/shared/${token}`, config.publicUrl).href, link: asLink({ ...row, title }) }
}

type LinkRow = Omit<typeof shareLinks.$inferSelect, 'userId' | 'tokenHash'> & { title: string }

const asLink = ({ id, kind, itemId, title, showsBusiness, createdAt, expiresAt }: LinkRow): ShareLink => ({
  linkId: id,
  kind,
  id: itemId,
  title,
  showsBusiness,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})

export async function readShareLinks({ database, clock }: SharingDeps, userId: string) {
  const { db } = database
  const [rows, businessName] = await Promise.all([
    db
      .select({ link: shareLinks, title: contentItems.title })
      .from(shareLinks)
      .leftJoin(
        contentItems,
        and(eq(sql`${contentItems.kind}`, shareLinks.kind), eq(contentItems.id, shareLinks.itemId)),
      )
      .where(and(eq(shareLinks.userId, userId), gt(shareLinks.expiresAt, clock())))
      .orderBy(desc(shareLinks.createdAt)),
    readBusinessName(db, userId),
  ])
  return { links: rows.map(({ link, title }) => asLink({ ...link, title: title ?? '' })), businessName }
}

export async function readBusinessName(db: Db | Tx, userId: string): Promise<string | null> {
  const values = await readProfileValues(db, userId)
  return values.store_name ?? values.brand ?? null
}

export const endAllShareLinks = (tx: Tx, userId: string) => tx.delete(shareLinks).where(eq(shareLinks.userId, userId))

export async function endShareLink({ database }: SharingDeps, userId: string, linkId: string) {
  const ended = await database.db
    .delete(shareLinks)
    .where(and(eq(shareLinks.id, linkId), eq(shareLinks.userId, userId)))
    .returning({ id: shareLinks.id })
  return { ended: ended.length > 0 }
}
