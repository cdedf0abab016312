import { desc, eq } from 'drizzle-orm'
import { priceMove, priceMoveMember } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'

export const exportedData: PersonReaders = {
  priceChanges: (tx, userId) =>
    tx
      .select({
        stripeSubscriptionId: priceMoveMember.subscriptionId,
        plan: priceMove.plan,
        oldCents: priceMoveMember.oldCents,
        newCents: priceMoveMember.newCents,
        currency: priceMove.currency,
        effectiveAt: priceMoveMember.effectiveAt,
        state: priceMoveMember.state,
      })
      .from(priceMoveMember)
      .innerJoin(priceMove, eq(priceMove.id, priceMoveMember.moveId))
      .where(eq(priceMoveMember.userId, userId))
      .orderBy(desc(priceMoveMember.effectiveAt)),
}
