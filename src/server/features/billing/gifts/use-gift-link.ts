import { and, count, eq, inArray, or } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { giftLink, giftLinkUse } from '#server/db/schema/index.ts'
import { lastDayOf } from '#server/features/billing/offers/offers.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import type { Principal } from '#server/http/principal.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import { giftLinkUsedEmail } from '#server/mail/texts/gift-emails.ts'
import type { PublicGiftLink } from '#shared/contracts/billing/gift-links.ts'
import { AppError } from '#shared/errors.ts'
import { addGiftMonths, ownPlan } from './add-gift-months.ts'
import { type GiftDeps, hashToken } from './gift-links.ts'
import { type GiftLinkRow, stateOfLink } from './manage-gift-links.ts'

const purpose = 'gift link mailbox'

/** What a visitor sees of a link, without using it. @throws AppError gift_invalid */
export async function readGiftLink({ database, clock }: GiftDeps, token: string): Promise<PublicGiftLink> {
  const { db } = database
  const found = await findLink(db, token)
  const state = stateOfLink(found, await countUses(db, found.id), clock())
  return {
    state: state === 'retired' ? 'ended' : state,
    months: found.months,
    lastDay: lastDayOf(found.endsAt, await readTimeZone(db)),
  }
}

async function findLink(db: Db | Tx, token: string): Promise<GiftLinkRow> {
  const [row] = await db
    .select()
    .from(giftLink)
    .where(eq(giftLink.tokenHash, hashToken(token)))
  if (!row) {
    throw new AppError('gift_invalid', { message: 'This gift link isn’t valid. Check that you copied all of it.' })
  }
  return row
}

async function countUses(db: Db | Tx, linkId: string): Promise<number> {
  const [row] = await db.select({ uses: count() }).from(giftLinkUse).where(eq(giftLinkUse.linkId, linkId))
  return row?.uses ?? 0
}

/**
 * Gives the caller the link's months. The lock of the link's row keeps its number of uses on any number of nodes. The same
 * account may repeat it; another account of the same mailbox may not.
 * @throws AppError gift_invalid, address_not_confirmed, gift_over, gift_used, gift_already_paying
 */
export async function applyGiftLink(deps: GiftDeps, who: Principal, token: string): Promise<{ accessUntil: string }> {
  const found = await findLink(deps.database.db, token)
  if (who.isAnonymous || !who.emailConfirmed) throw new AppError('address_not_confirmed')
  const mailbox = normalizeMailbox(who.email)
  const accessUntil = await deps.database.db.transaction(async (tx) => {
    // The user first: giving access locks it, too.
    await lockUser(tx, who.userId)
    const [link = found] = await tx.select().from(giftLink).where(eq(giftLink.id, found.id)).for('update')
    const earlier = await findUse(tx, link.id, who.userId, deps.secrets.signatures(purpose, mailbox))
    if (earlier?.userId === who.userId) return earlier.accessUntil
    if (earlier) throw new AppError('gift_used', { message: 'You’ve already used this link with another account.' })
    requireOpen(link, await countUses(tx, link.id), deps.clock())
    const until = await giveMonths(tx, deps, who, link)
    await tx.insert(giftLinkUse).values({
      linkId: link.id,
      mailboxHash: deps.secrets.sign(purpose, mailbox),
      userId: who.userId,
      usedAt: deps.clock(),
      accessUntil: until,
    })
    return until
  })
  return { accessUntil: accessUntil.toISOString() }
}

/** The person's use of the link, by the account or by its mailbox. */
async function findUse(tx: Tx, linkId: string, userId: string, hashes: string[]) {
  const isPerson = or(eq(giftLinkUse.userId, userId), inArray(giftLinkUse.mailboxHash, hashes))
  const rows = await tx
    .select()
    .from(giftLinkUse)
    .where(and(eq(giftLinkUse.linkId, linkId), isPerson))
  return rows.find((row) => row.userId === userId) ?? rows[0]
}

/** @throws AppError gift_over */
function requireOpen(link: GiftLinkRow, uses: number, now: Date): void {
  const state = stateOfLink(link, uses, now)
  if (state === 'open') return
  const message = state === 'used_up' ? 'All gifts of this link have been claimed.' : 'This gift link has ended.'
  throw new AppError('gift_over', { message })
}

/** @throws AppError gift_already_paying */
async function giveMonths(tx: Tx, deps: GiftDeps, who: Principal, { months, note }: GiftLinkRow): Promise<Date> {
  const plan = ownPlan(deps, who)
  if (plan.renews) {
    throw new AppError('gift_already_paying', {
      message:
        'You already have a plan that renews, so this gift would give you nothing. It stays free for someone else.',
    })
  }
  return addGiftMonths(tx, deps, who, {
    months,
    planEnd: plan.end,
    source: 'gift_link',
    note: `Gift link: ${note}`,
    email: (until) => giftLinkUsedEmail({ to: who.email, config: deps.config, until }),
  })
}
