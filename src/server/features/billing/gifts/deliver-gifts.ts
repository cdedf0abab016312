import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { gift } from '#server/db/schema/index.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { giftArrivedEmail, giftReminderEmail } from '#server/mail/texts/gift-emails.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { claimDays } from '#shared/domain/gifts.ts'
import { claimLink, type GiftDeps, type GiftRow, hashToken, newClaimToken } from './gift-links.ts'

/** Days before the end of the time to claim. */
const reminderDays = 30
const batch = 100

export const claimEnd = (from: Date): Date => new Date(from.getTime() + claimDays * dayMs)

/** Emails the gift to its recipient, in the transaction that records it. A new address gets the time that is left. */
export async function sendGift(tx: Tx, deps: GiftDeps, row: GiftRow): Promise<GiftRow> {
  const now = deps.clock()
  const [sent = row] = await tx
    .update(gift)
    .set({
      state: 'sent',
      sentAt: now,
      claimUntil: row.claimUntil ?? claimEnd(now),
      claimTokenHash: hashToken(newClaimToken(deps.secrets, row)),
      bounceToldAt: null,
    })
    .where(eq(gift.id, row.id))
    .returning()
  await deps.enqueue(tx, emailJob, giftArrivedEmail(toRecipient(deps, sent)))
  return sent
}

export const toRecipient = (deps: GiftDeps, row: GiftRow) => ({
  to: row.recipientEmail,
  config: deps.config,
  recipientName: row.recipientName,
  giverName: row.giverName,
  message: row.message,
  months: row.months,
  claimUntil: row.claimUntil ?? deps.clock(),
  claimLink: claimLink(deps, row),
})

/** Sends gifts whose hour has come. Nodes skip what another is sending. */
export async function deliverGifts(deps: GiftDeps): Promise<void> {
  await eachDue(deps, and(eq(gift.state, 'scheduled'), lte(gift.deliverAt, deps.clock())), sendGift)
}

/** Reminds recipients once, a month before the time to claim ends. */
export async function remindRecipients(deps: GiftDeps): Promise<void> {
  const soon = new Date(deps.clock().getTime() + reminderDays * dayMs)
  const isDue = and(eq(gift.state, 'sent'), isNull(gift.remindedAt), lte(gift.claimUntil, soon))
  await eachDue(deps, isDue, async (tx, _deps, row) => {
    await tx.update(gift).set({ remindedAt: deps.clock() }).where(eq(gift.id, row.id))
    await deps.enqueue(tx, emailJob, giftReminderEmail(toRecipient(deps, row)))
  })
}

/** Runs a step for each gift that matches, in a transaction of its own. */
export async function eachDue(
  deps: GiftDeps,
  isDue: ReturnType<typeof and>,
  run: (tx: Tx, deps: GiftDeps, row: GiftRow) => Promise<unknown>,
): Promise<void> {
  for (let taken = 0; taken < batch; taken += 1) {
    const found = await deps.database.db.transaction(async (tx) => {
      const [row] = await tx
        .select()
        .from(gift)
        .where(isDue)
        .orderBy(asc(gift.deliverAt), asc(gift.id))
        .limit(1)
        .for('update', { skipLocked: true })
      if (row) await run(tx, deps, row)
      return row !== undefined
    })
    if (!found) return
  }
}

/** True if an email to this address came back after the gift was sent. `sql` for lists. */
export const hasBounced = sql<boolean>`(${gift.sentAt} is not null and ${gift.claimedAt} is null and exists (
  select 1 from email_events bounce where bounce.email = ${gift.recipientEmail}
    and bounce.type = 'hard_bounce' and bounce.received_at >= ${gift.sentAt}))`
