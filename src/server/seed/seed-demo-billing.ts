import { eq } from 'drizzle-orm'
import { users as userTable } from '#server/db/schema/index.ts'
import { type BillingDeps, idOf } from '#server/features/billing/subscriptions/billing-deps.ts'
import { type BillingUser, ensureCustomer } from '#server/features/billing/subscriptions/customers/ensure-customer.ts'
import { findCustomerId } from '#server/features/billing/subscriptions/customers/stripe-customer-ids.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { PlanKey } from '#shared/domain/plans.ts'

/** Plans of the demo accounts. */
const demoPlans = { admin: 'pro_monthly', pro: 'pro_monthly', team: 'team_monthly' } as const satisfies Record<
  string,
  PlanKey
>
type DemoSubscriber = keyof typeof demoPlans

/** Metadata key of demo customers at Stripe: finds them again after the database was reset. */
const demoMetadataKey = 'front_counter_demo'

/**
 * Gives demo accounts a customer, a saved card and a paid subscription. Every step checks what exists and uses an
 * idempotency key, so the seed can run again after a crash or after either side lost its data. Never restarts a
 * subscription that was canceled.
 */
export async function seedDemoBilling(
  deps: BillingDeps,
  users: Record<DemoSubscriber, { id: string; email: string }>,
): Promise<void> {
  for (const name of Object.keys(demoPlans) as DemoSubscriber[]) {
    const { id, email } = users[name]
    await withLease(deps, `billing:${id}`, async () => {
      const customerId = await ensureDemoCustomer(deps, { userId: id, email })
      const paymentMethod = await ensureCard(deps, customerId)
      await ensureSubscription(deps, { userId: id, customerId, paymentMethod, plan: demoPlans[name] })
      await syncCustomer(deps, customerId)
    })
  }
}

type DemoUser = BillingUser & { email: string }

async function ensureDemoCustomer(deps: BillingDeps, user: DemoUser): Promise<string> {
  if (!(await findCustomerId(deps.database.db, user.userId))) await adoptOrphanedCustomer(deps, user)
  return ensureCustomer(deps, { ...user, metadata: { [demoMetadataKey]: 'true' } })
}

/** After a database reset, links the demo customer that still exists at Stripe to the new demo user. */
async function adoptOrphanedCustomer(deps: BillingDeps, { userId, email }: DemoUser): Promise<void> {
  const found = await deps.stripe.customers.list({ email, limit: 100 })
  for (const customer of found.data.toReversed()) {
    if (customer.metadata[demoMetadataKey] !== 'true' || (await isUser(deps, customer.metadata.user_id))) continue
    await deps.stripe.customers.update(customer.id, { metadata: { user_id: userId } })
    return
  }
}

async function isUser(deps: BillingDeps, id: string | undefined): Promise<boolean> {
  if (!id || !/^[0-9a-f-]{36}$/i.test(id)) return false
  const rows = await deps.database.db.select({ id: userTable.id }).from(userTable).where(eq(userTable.id, id))
  return rows.length > 0
}

/** The customer's default card, or Stripe's test card. */
async function ensureCard(deps: BillingDeps, customerId: string): Promise<string> {
  const customer = await deps.stripe.customers.retrieve(customerId)
  const chosen = customer.deleted ? null : idOf(customer.invoice_settings.default_payment_method)
  if (chosen) return chosen
  const cards = await deps.stripe.customers.listPaymentMethods(customerId, { type: 'card' })
  const card =
    cards.data.at(-1) ??
    (await deps.stripe.paymentMethods.attach(
      'pm_card_visa',
      { customer: customerId },
      { idempotencyKey: `demo-card:${customerId}` },
    ))
  await deps.stripe.customers.update(customerId, { invoice_settings: { default_payment_method: card.id } })
  return card.id
}

type Purchase = { userId: string; customerId: string; paymentMethod: string; plan: PlanKey }

async function ensureSubscription(deps: BillingDeps, { userId, customerId, paymentMethod, plan }: Purchase) {
  const before = await deps.stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 1 })
  if (before.data.length > 0) return
  await deps.stripe.subscriptions.create(
    {
      customer: customerId,
      items: [{ price: idsOfPlan(deps.config, plan)?.priceId ?? '', quantity: 1 }],
      default_payment_method: paymentMethod,
      metadata: { user_id: userId },
    },
    { idempotencyKey: `demo-subscription:${customerId}` },
  )
}
