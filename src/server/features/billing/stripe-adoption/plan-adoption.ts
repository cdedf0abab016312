import { and, eq, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { stripeAdoptionSubscription } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { planOfStripePrice } from '#server/features/billing/subscriptions/sync/plan-subscriptions.ts'
import type { AdoptionOutcome } from '#shared/contracts/billing/stripe-adoption.ts'
import { isEmailAddress } from '#shared/domain/email-address.ts'
import type { PlanKey } from '#shared/domain/plans.ts'

type Listed = typeof stripeAdoptionSubscription.$inferSelect

export type PlannedCustomer = {
  customerId: string
  email: string
  name: string | null
  plan: PlanKey | null
  outcome: AdoptionOutcome
  detail: string
  /** The member that the customer belongs or will belong to; null for a new one. */
  userId: string | null
}

const live: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])

type Facts = {
  stripeCustomer: string
  /** The member linked to this customer. */
  linkedTo: string | null
  /** The member whose imported file names this customer. */
  namedFor: string | null
  namedCustomer: string | null
  /** The member with this address. */
  userId: string | null
  userCustomer: string | null
  isTrusted: boolean
}

/**
 * Decides for each customer what adopting does. A customer is left alone if anything about it is ambiguous: regular syncs
 * would otherwise cancel a second plan, or a member would get another person's subscription.
 */
export async function planAdoption(
  db: Db | Tx,
  deps: Pick<BillingDeps, 'config'>,
  adoptionId: string,
  only?: string,
): Promise<PlannedCustomer[]> {
  const all = await db
    .select()
    .from(stripeAdoptionSubscription)
    .where(
      and(eq(stripeAdoptionSubscription.adoptionId, adoptionId), only ? sharesAddress(adoptionId, only) : undefined),
    )
    .orderBy(stripeAdoptionSubscription.stripeCustomer, stripeAdoptionSubscription.subscriptionId)
  const planOf = ({ prices }: Listed) =>
    prices.map(({ id, productId }) => planOfStripePrice(deps, { id, product: productId })).find(Boolean) ?? null
  const byCustomer = Map.groupBy(all, ({ stripeCustomer }) => stripeCustomer)
  /** Customers with a plan by address: two for one address are a conflict. */
  const byAddress = new Map<string, Set<string>>()
  for (const one of all) {
    if (!planOf(one) || one.address === '') continue
    byAddress.set(one.address, (byAddress.get(one.address) ?? new Set()).add(one.stripeCustomer))
  }
  const facts = new Map((await readFacts(db, adoptionId, only)).map((row) => [row.stripeCustomer, row]))
  const customers = only === undefined ? [...byCustomer] : [...byCustomer].filter(([id]) => id === only)
  return customers.map(([customerId, subscriptions]) => {
    const ours = subscriptions.filter((one) => planOf(one) !== null)
    const [first = subscriptions[0]] = ours
    const email = first?.address ?? ''
    const plan = ours[0] ? planOf(ours[0]) : null
    const known = facts.get(customerId)
    const decide = (outcome: AdoptionOutcome, detail: string, userId: string | null = null): PlannedCustomer => ({
      customerId,
      email,
      name: first?.name ?? null,
      plan,
      outcome,
      detail,
      userId,
    })
    if (known?.linkedTo) return decide('linked', 'Already belongs to a member here.', known.linkedTo)
    if (ours.length === 0) return decide('unmapped', 'No price of this customer counts as a plan. It is left alone.')
    if (ours.filter(({ status }) => live.has(status)).length > 1) {
      return decide('conflict', 'Has two plans at once. Cancel one of them at Stripe first.')
    }
    if (ours.some(({ isTrialOffer }) => isTrialOffer)) {
      return decide('conflict', 'Is in a trial that was started here before. Wait until it has ended.')
    }
    if ((byAddress.get(email)?.size ?? 0) > 1) return decide('conflict', 'Two customers at Stripe have this address.')
    const userId = known?.namedFor ?? known?.userId ?? null
    if (userId === null) {
      return isEmailAddress(email)
        ? decide('new', 'Becomes a member.')
        : decide('conflict', 'Has no email address at Stripe.')
    }
    if (known?.userCustomer) return decide('conflict', 'The member with this address has another customer at Stripe.')
    if (known?.namedCustomer && known.namedCustomer !== customerId) {
      return decide('conflict', 'The imported file names another customer for this member.')
    }
    if (!known?.isTrusted) return decide('conflict', 'The account with this address hasn’t confirmed it yet.')
    return decide('existing', 'Gets the plan on their account.', userId)
  })
}

/** The customer, and others with the same address. */
const sharesAddress = (adoptionId: string, customerId: string) =>
  sql`(${stripeAdoptionSubscription.stripeCustomer} = ${customerId} or ${stripeAdoptionSubscription.address} in (
    select same.address from stripe_adoption_subscription same
    where same.adoption_id = ${adoptionId}::uuid and same.stripe_customer = ${customerId} and same.address <> ''))`

/** An account that signed up with an address without confirming it may be someone else's; imported ones are not. */
const readFacts = (db: Db | Tx, adoptionId: string, only: string | undefined) =>
  queryRows<Facts>(
    db,
    sql`select distinct on (s.stripe_customer) s.stripe_customer as "stripeCustomer", linked.user_id as "linkedTo",
        named.user_id as "namedFor", own_name.stripe_customer_id as "namedCustomer", u.id as "userId",
        mapped.stripe_customer_id as "userCustomer",
        coalesce(u.email_confirmed_at is not null or u.created_by_admin, false) and u.deleted_at is null as "isTrusted"
      from stripe_adoption_subscription s
      left join billing_customer linked on linked.stripe_customer_id = s.stripe_customer
      left join imported_stripe_customer named on named.stripe_customer_id = s.stripe_customer
      left join auth.users u on u.id = coalesce(named.user_id,
        (select a.id from auth.users a where a.email = s.address and s.address <> '' and a.is_sso_user = false))
      left join imported_stripe_customer own_name on own_name.user_id = u.id
      left join billing_customer mapped on mapped.user_id = u.id
      where s.adoption_id = ${adoptionId}::uuid and (${only ?? null}::text is null or s.stripe_customer = ${only ?? null})
      order by s.stripe_customer, named.user_id`,
  )
