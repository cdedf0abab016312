import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { gift } from '#server/db/schema/index.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import type { changeGiftCall, GiftStatus } from '#shared/contracts/billing/gifts.ts'
import type { GiftState } from '#shared/domain/gifts.ts'
import { AppError } from '#shared/errors.ts'
import { deliveryAt, deliveryDays, requireRecipient } from './buy-gift.ts'
import { hasBounced, sendGift } from './deliver-gifts.ts'
import { findByGiverToken, type GiftDeps, type GiftRow, lockGift } from './gift-links.ts'
import { openStates } from './refund-gift.ts'
import { syncGift } from './sync-gift.ts'

/** New addresses per gift, so that a bought gift isn't a way to email many people. */
const maxAddressChanges = 5

const isOpenState = (state: string): boolean => openStates.some((open) => open === state)
const canChange = ({ state, addressVersion }: GiftRow) => isOpenState(state) && addressVersion < maxAddressChanges

/** The giver's page, which is also the return from checkout: syncs an unpaid gift, often before the webhook does. */
export async function readGiftStatus(deps: GiftDeps, token: string): Promise<GiftStatus> {
  const { db } = deps.database
  const stored = await findByGiverToken(db, token)
  const row = stored.state === 'unpaid' ? await syncOrStored(deps, stored) : stored
  const [facts] = await db.select({ bounced: hasBounced }).from(gift).where(eq(gift.id, row.id))
  const { recipientName, recipientEmail, message, deliverOn, amountCents, refundedCents, currency, months } = row
  return {
    state: row.state as GiftState,
    ...{ recipientName, recipientEmail, message, deliverOn, amountCents, refundedCents, currency, months },
    sentAt: row.sentAt?.toISOString() ?? null,
    claimUntil: row.claimUntil?.toISOString() ?? null,
    claimedAt: row.claimedAt?.toISOString() ?? null,
    bounced: facts?.bounced ?? false,
    canChange: canChange(row),
    ...deliveryDays(deps.clock(), await readTimeZone(db)),
  }
}

const syncOrStored = (deps: GiftDeps, row: GiftRow): Promise<GiftRow> =>
  syncGift(deps, row)
    .then((synced) => synced ?? row)
    .catch((error: unknown) => {
      deps.logger.warn(
        { giftId: row.id, ...describeFailure(error) },
        'sync on return from the checkout of a gift failed',
      )
      return row
    })

/** @throws AppError gift_invalid, gift_not_changeable, gift_to_yourself, validation_failed */
export async function changeGift(
  deps: GiftDeps,
  { token, ...given }: z.output<typeof changeGiftCall.input>,
): Promise<void> {
  const { db } = deps.database
  const found = await findByGiverToken(db, token)
  const recipientEmail = requireRecipient(deps, { ...found, recipientEmail: given.recipientEmail })
  const timeZone = await readTimeZone(db)
  await db.transaction(async (tx) => {
    const row = await lockGift(tx, found.id)
    if (!row || !canChange(row)) throw new AppError('gift_not_changeable')
    const isMoved = row.state === 'scheduled' && given.deliverOn !== row.deliverOn
    const deliverAt = isMoved ? deliveryAt(given.deliverOn, deps.clock(), timeZone) : row.deliverAt
    const isReaddressed = recipientEmail !== row.recipientEmail
    if (!isMoved && !isReaddressed) return
    const [changed = row] = await tx
      .update(gift)
      .set({
        recipientEmail,
        deliverAt,
        deliverOn: isMoved ? given.deliverOn : row.deliverOn,
        addressVersion: row.addressVersion + (isReaddressed ? 1 : 0),
      })
      .where(eq(gift.id, row.id))
      .returning()
    if (row.state === 'sent' || deliverAt <= deps.clock()) await sendGift(tx, deps, changed)
  })
}
