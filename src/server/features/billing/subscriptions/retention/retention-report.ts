import { and, count, desc, eq, gte, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { retentionOffer, users } from '#server/db/schema/index.ts'
import { type RetentionReport, stayReasonSchema } from '#shared/contracts/billing/admin-money.ts'

const monthsCounted = 12
const maxStayed = 20

/** Reports what members who wanted to cancel were offered in the last twelve months, what they took, and what they said. */
export async function readRetentionReport(db: Db, now: Date): Promise<RetentionReport> {
  const since = new Date(now)
  since.setUTCMonth(since.getUTCMonth() - monthsCounted)
  const { reason, kind, takenAt, offeredAt, comment } = retentionOffer
  const isCounted = gte(offeredAt, since)
  const [offers, stayed] = await Promise.all([
    db
      .select({ reason, kind, offered: count(), taken: count(takenAt) })
      .from(retentionOffer)
      .where(isCounted)
      .groupBy(reason, kind)
      .orderBy(desc(count()), reason, kind),
    db
      .select({ reason, kind, comment, takenAt, userId: users.id, email: users.email })
      .from(retentionOffer)
      .leftJoin(users, eq(users.id, retentionOffer.userId))
      .where(and(isCounted, isNotNull(takenAt)))
      .orderBy(desc(takenAt), desc(retentionOffer.id))
      .limit(maxStayed),
  ])
  return {
    offers: offers.map((row) => ({ ...row, ...stayReasonSchema.parse(row) })),
    stayed: stayed.map(({ takenAt: at, userId, email, comment: words, ...row }) => ({
      ...stayReasonSchema.parse(row),
      takenAt: (at ?? now).toISOString(),
      comment: words,
      member: userId && email ? { id: userId, email } : null,
    })),
  }
}
