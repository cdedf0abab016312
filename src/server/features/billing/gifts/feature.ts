import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { gift, giftLink, giftLinkUse, users } from '#server/db/schema/index.ts'
import type { Deps, Feature, FeatureDeps, PersonReaders } from '#server/feature.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import * as giftLinksContracts from '#shared/contracts/billing/gift-links.ts'
import * as giftsContracts from '#shared/contracts/billing/gifts.ts'
import { buyGift, readGiftOffer, saveGiftSettings } from './buy-gift.ts'
import { claimGift, readReceivedGift } from './claim-gift.ts'
import { deliverGifts, remindRecipients } from './deliver-gifts.ts'
import { checkUnpaid, endUnclaimed, reportBounces } from './expire-gifts.ts'
import { finishCredits } from './gift-credit.ts'
import type { GiftDeps } from './gift-links.ts'
import { changeGift, readGiftStatus } from './giver-page.ts'
import { listGifts } from './list-gifts.ts'
import { createGiftLink, listGiftLinks, listGiftLinkUses, retireGiftLink } from './manage-gift-links.ts'
import { finishRefunds, refundGift } from './refund-gift.ts'
import { applyGiftLink, readGiftLink } from './use-gift-link.ts'

/** Gifts that are bought and the publisher's gift links: for givers and recipients, who need no account to open their links, and for the owner. */
function giftsCalls(deps: FeatureDeps): Implementation[] {
  const limits = createIpRateLimits(deps)
  return [
    implement(giftsContracts.giftOfferCall, async () => ({ offer: await readGiftOffer(deps) })),
    implement(giftsContracts.buyGiftCall, async (given, _who, { clientAddress }) => {
      // Each opens a checkout at Stripe.
      await limits.consume('offer', clientAddress)
      return buyGift(deps, given)
    }),
    implement(giftsContracts.giftStatusCall, async ({ token }, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      return readGiftStatus(deps, token)
    }),
    implement(giftsContracts.changeGiftCall, async (given, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      await changeGift(deps, given)
      return {}
    }),
    implement(giftsContracts.receivedGiftCall, async ({ token }, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      return readReceivedGift(deps, token)
    }),
    implement(giftLinksContracts.giftLinkCall, async ({ token }, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      return readGiftLink(deps, token)
    }),
    implement(giftLinksContracts.applyGiftLinkCall, async ({ token }, who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      return applyGiftLink(deps, who, token)
    }),
    implement(giftsContracts.claimGiftCall, (input, who) => claimGift(deps, who, input)),
    implement(giftsContracts.adminGiftsCall, (_input, who) =>
      listGifts(deps, { seesPeople: who.staffRole === 'owner' }),
    ),
    implement(giftsContracts.adminSaveGiftSettingsCall, ({ settings, version }, who) =>
      saveGiftSettings(deps, { settings, basedOn: version }, who),
    ),
    implement(giftLinksContracts.adminGiftLinksCall, (_input, who) =>
      listGiftLinks(deps, { seesLinks: who.staffRole === 'owner' }),
    ),
    implement(giftLinksContracts.adminGiftLinkUsesCall, ({ id }) => listGiftLinkUses(deps, id)),
    implement(giftLinksContracts.adminCreateGiftLinkCall, (given, who) => createGiftLink(deps, who, given)),
    implement(giftLinksContracts.adminRetireGiftLinkCall, ({ id }, who) => retireGiftLink(deps, who, id)),
    implement(giftsContracts.adminRefundGiftCall, ({ id }, who) => refundGift(deps, who, id)),
  ]
}

const exportedData: PersonReaders = {
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

/** One run of the job: what is due, and what an interrupted request or a lost webhook left. Nothing after a restore. */
export async function workOnGifts(deps: GiftDeps): Promise<void> {
  if (await isOnHold(deps.database.db)) return
  await checkUnpaid(deps)
  await deliverGifts(deps)
  await remindRecipients(deps)
  await reportBounces(deps)
  await endUnclaimed(deps)
  await finishRefunds(deps)
  await finishCredits(deps)
}

const giftsJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs({ gifts: { cron: '*/5 * * * *', retryLimit: 1, run: () => workOnGifts(deps) } })

/** Forgets who bought and who received. A gift that waits still arrives, without the giver's name. */
async function forgetGifts(tx: Tx, userId: string): Promise<void> {
  const [user] = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailConfirmedAt)))
  if (user?.email) {
    await tx.update(gift).set({ giverName: '', giverEmail: '' }).where(eq(gift.giverEmail, user.email))
  }
  await tx
    .update(gift)
    .set({ claimedBy: null, recipientName: '', recipientEmail: '', message: '' })
    .where(eq(gift.claimedBy, userId))
}

export const giftsFeature: Feature = {
  calls: giftsCalls,
  jobs: giftsJobs,
  onAccountDeleted: forgetGifts,
  exportedData,
}
