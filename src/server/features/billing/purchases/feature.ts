import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { purchase } from '#server/db/schema/index.ts'
import type { Deps, Feature, FeatureDeps } from '#server/feature.ts'
import type { GiftDeps } from '#server/features/billing/gifts/gift-links.ts'
import { findGiftOfPayment, readPaymentOfEvent, syncGift } from '#server/features/billing/gifts/sync-gift.ts'
import { oneTimePaymentJob } from '#server/features/billing/subscriptions/webhooks/webhook-events.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { implement } from '#server/http/product-calls.ts'
import { type AnyJob, defineJob, scheduledJobs } from '#server/jobs/jobs.ts'
import * as items from '#shared/contracts/billing/items.ts'
import * as contracts from '#shared/contracts/billing/purchases.ts'
import { isForGood } from '#shared/domain/entitlement.ts'
import { planOf } from '#shared/domain/plans.ts'
import { buyAccess } from './buy-access.ts'
import { buyItem } from './buy-item.ts'
import { refundPurchase, workOnPurchases } from './refund-purchase.ts'
import { itemPrice, listSoldItems } from './sold-items.ts'
import { findPurchaseOfPayment, syncPurchase } from './sync-purchase.ts'

const listPaid = async (db: Db | Tx, { settings }: Pick<Config, 'settings'>, userId: string) => {
  const rows = await db
    .select()
    .from(purchase)
    .where(and(eq(purchase.userId, userId), isNotNull(purchase.paidAt)))
    .orderBy(desc(purchase.paidAt))
  return rows.map(({ id, plan, itemKind, itemId, itemTitle, state, paidAt, accessUntil, ...row }) => ({
    ...{ id, state: state as contracts.Purchase['state'] },
    ...{ amountCents: row.amountCents, refundedCents: row.refundedCents, currency: row.currency },
    name: itemTitle ?? planOf(settings.publication, plan).name,
    item: itemKind && itemId ? { kind: itemKind, id: itemId } : null,
    paidAt: paidAt?.toISOString() ?? '',
    accessUntil: accessUntil && !isForGood(accessUntil) ? accessUntil.toISOString() : null,
    isForGood: isForGood(accessUntil),
  }))
}

/** The browser often comes back from checkout before the webhook. */
async function listOwn(deps: GiftDeps, userId: string) {
  const { db } = deps.database
  const isOpen = and(eq(purchase.userId, userId), eq(purchase.state, 'unpaid'), isNotNull(purchase.stripeSessionId))
  for (const row of await db.select().from(purchase).where(isOpen).orderBy(desc(purchase.createdAt)).limit(3)) {
    await syncPurchase(deps, row).catch((error: unknown) =>
      deps.logger.warn({ purchaseId: row.id, err: error }, 'a purchase is looked at again later'),
    )
  }
  return listPaid(db, deps.config, userId)
}

const purchasesCalls = (deps: FeatureDeps) => {
  const limits = createIpRateLimits(deps)
  return [
    implement(contracts.buyAccessCall, async (given, who, { clientAddress }) => {
      // Each opens a checkout at Stripe.
      await limits.consume('offer', clientAddress)
      return buyAccess(deps, who, given)
    }),
    implement(items.buyItemCall, async (given, who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      return buyItem(deps, who, given)
    }),
    implement(items.soldItemsCall, async () => ({ items: await listSoldItems(deps.database.db) })),
    implement(items.adminItemPriceCall, (given, who) => itemPrice(deps, who, given)),
    implement(contracts.ownPurchasesCall, async (_input, { userId }) => ({ items: await listOwn(deps, userId) })),
    implement(contracts.adminPurchasesCall, async ({ userId }) => ({
      items: await listPaid(deps.database.db, deps.config, userId),
    })),
    implement(contracts.adminRefundPurchaseCall, async ({ id }, who) => {
      await refundPurchase(deps, who, id)
      return {}
    }),
  ]
}

/** Events about a payment without a customer: a gift, or what a member paid once. */
export const oneTimePaymentJobOf = (deps: GiftDeps) =>
  defineJob({
    ...oneTimePaymentJob,
    run: async (event) => {
      const payment = await readPaymentOfEvent(deps, event)
      const gift = payment && !payment.metadata.purchase_id ? await findGiftOfPayment(deps, payment) : null
      if (gift) await syncGift(deps, gift)
      const row = payment && !gift ? await findPurchaseOfPayment(deps, payment) : null
      if (row) await syncPurchase(deps, row)
    },
  })

export const purchasesFeature: Feature = {
  calls: purchasesCalls,
  jobs: (deps: Deps) =>
    scheduledJobs({ purchases: { cron: '*/5 * * * *', retryLimit: 1, run: () => workOnPurchases(deps) } }, [
      oneTimePaymentJobOf(deps) as AnyJob,
    ]),
  enqueuedEarly: [oneTimePaymentJob],
  exportedData: {
    purchases: (tx, userId) =>
      tx
        .select({
          plan: purchase.plan,
          item: purchase.itemTitle,
          amountCents: purchase.amountCents,
          refundedCents: purchase.refundedCents,
          currency: purchase.currency,
          paidAt: purchase.paidAt,
          accessUntil: purchase.accessUntil,
        })
        .from(purchase)
        .where(and(eq(purchase.userId, userId), isNotNull(purchase.paidAt)))
        .orderBy(desc(purchase.paidAt)),
  },
}
