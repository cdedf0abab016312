import { count, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { giftLink, giftLinkUse, users } from '#server/db/schema/index.ts'
import { endOfDay, lastDayOf } from '#server/features/billing/offers/offers.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import type { AdminGiftLink, adminCreateGiftLinkCall, GiftLinkUse } from '#shared/contracts/billing/gift-links.ts'
import { AppError } from '#shared/errors.ts'
import { type GiftDeps, hashToken, newPublisherToken, publisherLink } from './gift-links.ts'

export type GiftLinkRow = typeof giftLink.$inferSelect

const maxYears = 5
const maxLinks = 500
const maxShownUses = 200

export function stateOfLink({ retiredAt, endsAt, maxUses }: GiftLinkRow, uses: number, now: Date) {
  if (retiredAt) return 'retired'
  if (endsAt <= now) return 'ended'
  return uses >= maxUses ? 'used_up' : 'open'
}

/** @throws AppError validation_failed for a day that has passed or is too far away, conflict */
export async function createGiftLink(
  deps: GiftDeps,
  who: Actor,
  { requestId: id, note, months, maxUses, lastDay }: z.output<typeof adminCreateGiftLinkCall.input>,
) {
  const now = deps.clock()
  const { db } = deps.database
  const endsAt = endOfDay(lastDay, await readTimeZone(db))
  if (endsAt <= now) throw new AppError('validation_failed', { message: 'That day has passed. Choose a later one.' })
  if (endsAt.getUTCFullYear() > now.getUTCFullYear() + maxYears) {
    throw new AppError('validation_failed', { message: 'That’s more than five years away. Choose an earlier day.' })
  }
  const tokenHash = hashToken(newPublisherToken(deps.secrets, id))
  const stored = await db.transaction(async (tx) => {
    const row = { id, tokenHash, note, months, maxUses, endsAt, createdAt: now }
    const [created] = await tx.insert(giftLink).values(row).onConflictDoNothing().returning()
    if (!created) {
      const [same] = await tx.select().from(giftLink).where(eq(giftLink.id, id))
      if (!same || !hasTermsOf(same, { note, months, maxUses, endsAt })) throw new AppError('conflict')
      return same
    }
    const terms = { months: String(months), uses: String(maxUses), lastDay }
    await recordAdminEvent(tx, who, {
      event: 'gift_link_created',
      object: { kind: 'gift-link', id, name: note },
      changes: Object.entries(terms).map(([field, after]) => ({ field, before: null, after })),
      now,
    })
    return created
  })
  return { id, link: publisherLink(deps, stored) }
}

const hasTermsOf = (row: GiftLinkRow, wanted: Pick<GiftLinkRow, 'note' | 'months' | 'maxUses' | 'endsAt'>) =>
  row.note === wanted.note &&
  row.months === wanted.months &&
  row.maxUses === wanted.maxUses &&
  row.endsAt.getTime() === wanted.endsAt.getTime()

/** Retiring a retired link changes nothing. @throws AppError not_found */
export async function retireGiftLink(deps: GiftDeps, who: Actor, id: string): Promise<void> {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const [row] = await tx.select().from(giftLink).where(eq(giftLink.id, id)).for('update')
    if (!row) throw new AppError('not_found')
    if (row.retiredAt) return
    await tx.update(giftLink).set({ retiredAt: now }).where(eq(giftLink.id, id))
    await recordAdminEvent(tx, who, {
      event: 'gift_link_retired',
      object: { kind: 'gift-link', id, name: row.note },
      changes: [{ field: 'state', before: 'open', after: 'retired' }],
      now,
    })
  })
}

export async function listGiftLinks(deps: GiftDeps, { seesLinks }: { seesLinks: boolean }) {
  const { db } = deps.database
  const now = deps.clock()
  const timeZone = await readTimeZone(db)
  const rows = await db
    .select({ row: giftLink, uses: count(giftLinkUse.mailboxHash) })
    .from(giftLink)
    .leftJoin(giftLinkUse, eq(giftLinkUse.linkId, giftLink.id))
    .groupBy(giftLink.id)
    .orderBy(desc(giftLink.createdAt), desc(giftLink.id))
    .limit(maxLinks)
  const items = rows.map(
    ({ row, uses }): AdminGiftLink => ({
      id: row.id,
      note: row.note,
      link: seesLinks ? publisherLink(deps, row) : null,
      state: stateOfLink(row, uses, now),
      months: row.months,
      uses,
      maxUses: row.maxUses,
      lastDay: lastDayOf(row.endsAt, timeZone),
      createdAt: row.createdAt.toISOString(),
    }),
  )
  return { timeZone, items }
}

/** Who used a link, newest first. */
export async function listGiftLinkUses({ database }: GiftDeps, id: string): Promise<{ items: GiftLinkUse[] }> {
  const { linkId, userId, usedAt, accessUntil } = giftLinkUse
  const rows = await database.db
    .select({ userId, email: users.email, usedAt, accessUntil })
    .from(giftLinkUse)
    .leftJoin(users, eq(users.id, userId))
    .where(eq(linkId, id))
    .orderBy(desc(usedAt))
    .limit(maxShownUses)
  const items = rows.map((row) => ({
    ...row,
    usedAt: row.usedAt.toISOString(),
    accessUntil: row.accessUntil.toISOString(),
  }))
  return { items }
}
