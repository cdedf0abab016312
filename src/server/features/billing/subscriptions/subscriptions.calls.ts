import type { z } from 'zod'
import type { Deps, FeatureDeps } from '#server/feature.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import type { Principal } from '#server/http/principal.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as adminBillingContracts from '#shared/contracts/billing/admin-billing.ts'
import * as adminMoneyContracts from '#shared/contracts/billing/admin-money.ts'
import * as billingContracts from '#shared/contracts/billing/billing.ts'
import { completeCheckoutCall, createCheckoutCall, customerPortalCall } from '#shared/contracts/billing/checkout.ts'
import {
  invoiceDetailsCall,
  saveInvoiceDetailsCall,
  startInvoicedPlanCall,
} from '#shared/contracts/billing/invoice-details.ts'
import * as memberBillingContracts from '#shared/contracts/billing/member-billing.ts'
import { plansCall } from '#shared/contracts/billing/plans.ts'
import { checkSubscriptionCall, type Subscription } from '#shared/contracts/billing/subscription.ts'
import { knownCurrency } from '#shared/domain/plan-problem.ts'
import { mainCurrency } from '#shared/domain/plans.ts'
import { grantAccess, revokeAccess } from './access/complimentary-access.ts'
import { readEntitlementReport, syncCustomerForAdmin } from './access/entitlement-report.ts'
import { readAccessFacts } from './access/read-access.ts'
import { type BillingDeps, idOf } from './billing-deps.ts'
import { readBillingOverview, readOwnPrice, readTrialOffer } from './billing-overview.ts'
import { findCheckoutSession } from './checkout/pending-checkout.ts'
import { startCheckout } from './checkout/start-checkout.ts'
import { startInvoicedPlan } from './checkout/start-invoiced-plan.ts'
import { readInvoiceDetails, saveInvoiceDetails } from './customers/invoice-details.ts'
import { findCustomerId } from './customers/stripe-customer-ids.ts'
import { changeMemberPlan, previewMemberSwitch } from './member-billing/change-member-plan.ts'
import { creditMember } from './member-billing/credit-member.ts'
import { readMemberBilling } from './member-billing/read-member-billing.ts'
import { refundInvoice } from './member-billing/refund-invoice.ts'
import { listCancellations } from './notices/cancellations.ts'
import { cancelPlan, resumePlan } from './plan-changes/cancel-plan.ts'
import { type Actor, changeSubscription, idempotencyKeyFor } from './plan-changes/change-subscription.ts'
import { openCardForm, openCustomerPortal } from './plan-changes/customer-portal.ts'
import { pausePlan } from './plan-changes/pause-plan.ts'
import { previewSwitch, switchPlan } from './plan-changes/switch-plan.ts'
import { offerToStay } from './retention/offer-to-stay.ts'
import { readRetentionReport } from './retention/retention-report.ts'
import { takeStayOffer } from './retention/take-stay-offer.ts'
import { readCohorts } from './revenue/read-cohorts.ts'
import { createRevenueByTrade } from './revenue/read-revenue-by-trade.ts'
import { readRevenueReport } from './revenue/revenue-totals.ts'
import { listPlans } from './stripe/plan-ids.ts'
import { withinBudget } from './stripe/stripe-call-budget.ts'
import { describeFailure } from './stripe/stripe-errors.ts'
import { createCheckSubscription, describeSubscription } from './sync/check-subscription.ts'
import { readOtherSubscriptions } from './sync/other-subscriptions.ts'
import { syncCustomer } from './sync/sync-customer.ts'

/**
 * Syncs on the return from checkout, which is often faster than the webhook. The session id grants nothing: with someone
 * else's or an invented id, callers get their own state.
 */
async function completeCheckout(deps: BillingDeps, userId: string, sessionId: string): Promise<Subscription> {
  const { db } = deps.database
  const customerId = await findCustomerId(db, userId)
  if (customerId && /^cs_\w+$/.test(sessionId)) {
    try {
      const session = await findCheckoutSession(deps, sessionId)
      if (idOf(session?.customer) === customerId) await syncCustomer(deps, customerId)
    } catch (error) {
      deps.logger.warn({ userId, ...describeFailure(error) }, 'sync on return from checkout failed')
    }
  }
  return describeSubscription(deps, await readAccessFacts(db, userId))
}

/**
 * Charges the card on file for each open invoice of the subscription, oldest first, and stops at the first decline.
 * Stripe pays an invoice once, so this can't charge twice even if Stripe retries at the same time.
 */
const payOpenInvoices = (deps: BillingDeps, who: Actor, requestId: string): Promise<Subscription> =>
  changeSubscription(deps, who, 'pay-open-invoices', async (current) => {
    const open = await deps.stripe.invoices.list({ subscription: current.subscription.id, status: 'open', limit: 100 })
    for (const { id } of open.data.toReversed()) {
      if (id) await deps.stripe.invoices.pay(id, {}, idempotencyKeyFor(`pay:${id}`, current, requestId))
    }
  })

/** API calls for buying, reading and managing a subscription. */
export function subscriptionsCalls(deps: Deps & Pick<FeatureDeps, 'onVisitorKnown'>): Implementation[] {
  const checkSubscription = createCheckSubscription(deps)
  const revenueByTrade = createRevenueByTrade(deps)
  const currencyOf = (given: string | null | undefined) =>
    knownCurrency(given) ?? mainCurrency(deps.config.settings.publication)
  const limits = createIpRateLimits(deps)
  const checkout = withinBudget(
    deps,
    6,
    ({ priceId, offer, seats, amountCents, agreed }: z.output<typeof createCheckoutCall.input>, who: Principal) =>
      startCheckout(deps, who, priceId, { offerCode: offer, seats, amountCents, agreed }),
  )
  return [
    implement(plansCall, async () => ({ plans: listPlans(deps.config) })),
    implement(checkSubscriptionCall, (input, who) => checkSubscription(who, input)),
    implement(createCheckoutCall, async (input, who, request) => {
      const { clientAddress } = request
      // The answer tells whether the code exists, so guesses count as they do for the call `offer`.
      if (input.offer) await limits.consume('offer', clientAddress)
      const started = await checkout(input, who)
      await deps.onVisitorKnown(who.userId, who.client)
      return started
    }),
    implement(
      completeCheckoutCall,
      withinBudget(deps, 4, ({ sessionId }, who) => completeCheckout(deps, who.userId, sessionId)),
    ),
    implement(
      customerPortalCall,
      withinBudget(deps, 1, (_input, who) => openCustomerPortal(deps, who)),
    ),
    implement(billingContracts.billingOverviewCall, (_input, who) => readBillingOverview(deps, who)),
    implement(billingContracts.ownPriceCall, (_input, who) => readOwnPrice(deps, who.userId)),
    implement(billingContracts.trialOfferCall, (_input, who) => readTrialOffer(deps, who)),
    implement(
      billingContracts.previewSwitchCall,
      withinBudget(deps, 3, ({ priceId }, who) => previewSwitch(deps, who, priceId)),
    ),
    implement(
      billingContracts.switchPlanCall,
      withinBudget(deps, 6, (wanted, who) => switchPlan(deps, who, wanted)),
    ),
    implement(
      billingContracts.cancelPlanCall,
      withinBudget(deps, 4, (cancellation, who) => cancelPlan(deps, who, cancellation)),
    ),
    implement(
      billingContracts.offerToStayCall,
      withinBudget(deps, 1, ({ reason }, who) => offerToStay(deps, who, reason)),
    ),
    implement(
      billingContracts.takeStayOfferCall,
      withinBudget(deps, 6, (taking, who) => takeStayOffer(deps, who, taking)),
    ),
    implement(
      billingContracts.pausePlanCall,
      withinBudget(deps, 5, (pause, who) => pausePlan(deps, who, pause)),
    ),
    implement(
      billingContracts.resumePlanCall,
      withinBudget(deps, 5, ({ requestId }, who) => resumePlan(deps, who, requestId)),
    ),
    implement(
      billingContracts.payOpenInvoicesCall,
      withinBudget(deps, 5, ({ requestId }, who) => payOpenInvoices(deps, who, requestId)),
    ),
    implement(
      billingContracts.updateCardCall,
      withinBudget(deps, 1, (_input, who) => openCardForm(deps, who)),
    ),
    implement(
      invoiceDetailsCall,
      withinBudget(deps, 2, async (_input, { userId }) => ({ details: await readInvoiceDetails(deps, userId) })),
    ),
    implement(
      startInvoicedPlanCall,
      withinBudget(deps, 12, (given, who) => startInvoicedPlan(deps, who, given)),
    ),
    implement(
      saveInvoiceDetailsCall,
      withinBudget(deps, 5, (details, who) => saveInvoiceDetails(deps, who, details)),
    ),
    implement(adminBillingContracts.adminEntitlementCall, ({ userId }, who) =>
      readEntitlementReport(deps, userId, { seesMoney: who.staffRole === 'owner' }),
    ),
    implement(adminBillingContracts.adminSyncCustomerCall, ({ userId }, who) =>
      syncCustomerForAdmin(deps, who, userId),
    ),
    implement(adminBillingContracts.adminOtherSubscriptionsCall, ({ userId }) => readOtherSubscriptions(deps, userId)),
    implement(adminBillingContracts.adminRevenueCall, (input) =>
      readRevenueReport(
        deps.database.db,
        deps.config.settings.publication,
        deps.clock(),
        input.until ?? null,
        input.currency ?? null,
      ),
    ),
    implement(adminMoneyContracts.adminCohortsCall, ({ currency }) =>
      readCohorts(deps.database.db, deps.clock(), currencyOf(currency)),
    ),
    implement(adminMoneyContracts.adminRevenueByTradeCall, ({ currency }) => revenueByTrade(currencyOf(currency))),
    implement(adminMoneyContracts.adminCancellationsCall, (query) =>
      listCancellations(deps.database.db, deps.clock(), query),
    ),
    implement(adminMoneyContracts.adminRetentionOffersCall, () => readRetentionReport(deps.database.db, deps.clock())),
    implement(
      memberBillingContracts.adminMemberBillingCall,
      withinBudget(deps, 5, ({ userId }) => readMemberBilling(deps, userId)),
    ),
    implement(memberBillingContracts.adminRefundInvoiceCall, (refund, who) => refundInvoice(deps, who, refund)),
    implement(memberBillingContracts.adminCreditMemberCall, (credit, who) => creditMember(deps, who, credit)),
    implement(
      memberBillingContracts.adminPreviewMemberSwitchCall,
      withinBudget(deps, 3, (wanted) => previewMemberSwitch(deps, wanted)),
    ),
    implement(memberBillingContracts.adminChangeMemberPlanCall, (change, who) => changeMemberPlan(deps, who, change)),
    implement(adminBillingContracts.adminGrantAccessCall, (grant, who) => grantAccess(deps, who, grant)),
    implement(adminBillingContracts.adminRevokeAccessCall, ({ userId }, who) => revokeAccess(deps, who, userId)),
  ]
}
