import { desc, isNotNull, sql } from 'drizzle-orm'
import { gift } from '#server/db/schema/index.ts'
import { maskEmail } from '#server/mail/mask-email.ts'
import type { GiftsPage, ListedGift } from '#shared/contracts/billing/gifts.ts'
import { readGiftSettings } from './buy-gift.ts'
import { hasBounced } from './deliver-gifts.ts'
import type { GiftDeps } from './gift-links.ts'

const maxGifts = 500

export async function listGifts(deps: GiftDeps, { seesPeople }: { seesPeople: boolean }): Promise<GiftsPage> {
  const { db } = deps.database
  const number = (text: ReturnType<typeof sql>) => sql<number>`${text}`.mapWith(Number)
  const rows = await db
    .select({ row: gift, bounced: hasBounced })
    .from(gift)
    .where(isNotNull(gift.paidAt))
    .orderBy(desc(gift.createdAt), desc(gift.id))
    .limit(maxGifts)
  const totals = await db
    .select({
      currency: gift.currency,
      sold: number(sql`count(*)`),
      claimed: number(sql`count(${gift.claimedAt})`),
      paidCents: number(sql`sum(${gift.amountCents} - ${gift.taxCents})`),
      refundedCents: number(
        sql`sum(${gift.refundedCents} - round(${gift.taxCents} * ${gift.refundedCents}::numeric / greatest(${gift.amountCents}, 1)))`,
      ),
    })
    .from(gift)
    .where(isNotNull(gift.paidAt))
    .groupBy(gift.currency)
    .orderBy(gift.currency)
  const name = (text: string) => (seesPeople ? text : '')
  const address = (text: string) => (seesPeople || !text ? text : maskEmail(text))
  return {
    ...(await readGiftSettings(db)),
    link: `${deps.config.publicUrl}/gift`,
    totals,
    items: rows.map(({ row, bounced }) => ({
      id: row.id,
      state: row.state as ListedGift['state'],
      giverName: name(row.giverName),
      giverEmail: address(row.giverEmail),
      recipientName: name(row.recipientName),
      recipientEmail: address(row.recipientEmail),
      deliverOn: row.deliverOn,
      paidAt: row.paidAt?.toISOString() ?? null,
      claimedAt: row.claimedAt?.toISOString() ?? null,
      claimUntil: row.claimUntil?.toISOString() ?? null,
      outcome: row.outcome as ListedGift['outcome'],
      refundReason: row.refundReason as ListedGift['refundReason'],
      bounced,
      amountCents: row.amountCents,
      refundedCents: row.refundedCents,
      currency: row.currency,
    })),
  }
}
