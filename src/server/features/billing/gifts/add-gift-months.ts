import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { complimentaryAccess } from '#server/db/schema/index.ts'
import { type AccessSource, giveAccess } from '#server/features/billing/subscriptions/access/complimentary-access.ts'
import { knownProductIds } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import type { Principal } from '#server/http/principal.ts'
import type { Email } from '#server/mail/mailer.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { entitlement, isForGood } from '#shared/domain/entitlement.ts'
import { AppError } from '#shared/errors.ts'
import type { GiftDeps } from './gift-links.ts'
import { giftActor } from './withdraw-gift.ts'

/** Whether the caller has a plan that renews, and when the access of one that doesn't ends. */
export function ownPlan(
  { config, clock }: Pick<GiftDeps, 'config' | 'clock'>,
  { subscription }: Pick<Principal, 'subscription'>,
) {
  const own = entitlement(subscription, clock(), knownProductIds(config))
  const renews = own.entitled && subscription?.cancelAt === null
  return { renews, end: own.entitled && !renews ? own.shownEnd : null }
}

type Giving = {
  months: number
  planEnd: Date | null
  source: AccessSource
  note: string
  email: (until: Date) => Email
}

/** Adds months from now, or from the end of what the member has: a canceled plan or an earlier gift. Returns the end. */
export async function addGiftMonths(
  tx: Tx,
  deps: GiftDeps,
  { userId }: Principal,
  { months, planEnd, source, note, email }: Giving,
): Promise<Date> {
  const now = deps.clock()
  const [earlier] = await tx.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, userId))
  if (isForGood(earlier?.until ?? null)) {
    throw new AppError('gift_not_changeable', {
      message: 'You have access for good, so this gift would give you nothing.',
    })
  }
  const from = new Date(Math.max(now.getTime(), planEnd?.getTime() ?? 0, earlier?.until.getTime() ?? 0))
  const until = addMonths(from, months)
  await giveAccess(tx, deps, giftActor, { userId, until, note, now, source, email: email(until) })
  return until
}
