import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { gift, giftLink, giftLinkUse, users } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'

export const exportedData: PersonReaders = {
  gifts: readGifts,
}

/** Gifts that the user claimed or got by a link, and those bought with the account's confirmed address. */
async function readGifts(tx: Tx, userId: string) {
  const shared = { months: gift.months, message: gift.message, claimedAt: gift.claimedAt }
  const received = await tx
    .select({ ...shared, from: gift.giverName, outcome: gift.outcome, accessUntil: gift.accessUntil })
    .from(gift)
    .where(eq(gift.claimedBy, userId))
  const given = await tx
    .select({
      ...shared,
      to: gift.recipientName,
      address: gift.recipientEmail,
      deliverOn: gift.deliverOn,
      paidAt: gift.paidAt,
      amountCents: gift.amountCents,
      refundedCents: gift.refundedCents,
      currency: gift.currency,
    })
    .from(gift)
    .innerJoin(users, eq(users.email, gift.giverEmail))
    .where(and(eq(users.id, userId), isNotNull(users.emailConfirmedAt), isNotNull(gift.paidAt)))
  const links = await tx
    .select({ months: giftLink.months, usedAt: giftLinkUse.usedAt, accessUntil: giftLinkUse.accessUntil })
    .from(giftLinkUse)
    .innerJoin(giftLink, eq(giftLink.id, giftLinkUse.linkId))
    .where(eq(giftLinkUse.userId, userId))
  return { received, given, links }
}
