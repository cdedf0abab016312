import { eq, sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import { memberNameSql } from '#server/db/member-name.ts'
import { subscriptionState } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { planNameOf, planOfProduct, productsOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { storedPrice } from '#server/features/billing/subscriptions/sync/stored-price.ts'
import { findSeat, readTeam } from '#server/features/billing/teams/team-queries.ts'
import { tokenExpiry } from '#server/features/identity/auth/email-flows/one-time-token.ts'
import { listLocations } from '#server/features/reader/business-profile/read-business-profile.ts'
import { findPreferences } from '#server/features/reader/preferences/preferences-store.ts'
import type { Member } from '#shared/contracts/operations/member-page.ts'
import { toStored } from '#shared/contracts/reader/preferences.ts'
import { AppError } from '#shared/errors.ts'
import { describeAccess } from './describe-access.ts'

type Instant = string | null
type Row = {
  email: string
  name: string | null
  created_at: string
  last_seen_at: Instant
  last_read_at: Instant
  unlinked_customer: string | null
  email_change: string | null
  email_change_sent_at: Instant
}

const paying: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid'])

/** In a query for a row of `subscription_state`. */
const payingSince = sql<Instant>`(select min(i.paid_at) from revenue_invoice i
  join billing_customer c on c.stripe_customer_id = i.customer_id
  where c.user_id = ${subscriptionState.userId} and i.paid_cents > 0)`

/** Reads the top of a member's page. @throws AppError not_found */
export async function readMember(deps: Deps, userId: string, seesMoney: boolean): Promise<Member> {
  const { db } = deps.database
  const [[user], [billing], facts, answers, locations, seat] = await Promise.all([
    queryRows<Row>(
      db,
      sql`select coalesce(u.email, '') as email, u.created_at,
          ${memberNameSql} as name, nullif(u.email_change, '') as email_change, u.email_change_sent_at,
          (select i.stripe_customer_id from imported_stripe_customer i where i.user_id = u.id and not exists (select 1
            from billing_customer b where b.user_id = u.id and b.stripe_customer_id is not null)) as unlinked_customer,
          greatest(u.last_sign_in_at, (select max(greatest(s.updated_at, s.refreshed_at at time zone 'utc'))
            from auth.sessions s where s.user_id = u.id)) as last_seen_at,
          (select max(greatest(r.read_at, r.position_at)) from reading_state r where r.user_id = u.id) as last_read_at
        from auth.users u where u.id = ${userId}::uuid and u.deleted_at is null`,
    ),
    db
      .select({ subscription: subscriptionState, payingSince })
      .from(subscriptionState)
      .where(eq(subscriptionState.userId, userId)),
    readAccessFacts(db, userId),
    findPreferences(db, userId),
    listLocations(db, userId),
    findSeat(db, userId),
  ])
  if (!user) throw new AppError('not_found')
  const { owned } = await readTeam(deps, { userId, ...facts })
  const products = productsOf(deps.config)
  const productId = facts.subscription?.productId ?? null
  const access = describeAccess(facts, {
    planName: planNameOf(deps.config, productId),
    ownerEmail: seat?.ownerEmail ?? null,
    products,
    now: deps.clock(),
  })
  const subscription = billing?.subscription
  return {
    id: userId,
    name: user.name,
    email: user.email,
    unlinkedStripeCustomer: user.unlinked_customer,
    pendingEmail: pendingEmailOf(user, deps.clock()),
    joinedAt: new Date(user.created_at).toISOString(),
    lastSeenAt: iso(user.last_seen_at),
    lastReadAt: iso(user.last_read_at),
    price: seesMoney && subscription && paying.has(subscription.status) ? storedPrice(deps.config, subscription) : null,
    payingSince: iso(billing?.payingSince ?? null),
    unpaidSince: subscription?.unpaidSince?.toISOString() ?? null,
    answers: answers && toStored(answers),
    locations: { total: locations.length, shared: locations.filter(({ shared }) => shared).length },
    plan: planOfProduct(deps.config, productId) ?? null,
    access: access.sentence,
    hasAccess: access.hasAccess,
    renewsAt: access.renewsAt?.toISOString() ?? null,
    team: owned && {
      ...{ active: owned.active, seats: owned.seats, members: owned.members },
      invitations: owned.invitations.map(({ id, email, expiresAt, expired }) => ({ id, email, expiresAt, expired })),
    },
    memberOf: seat && {
      ownerId: seat.ownerId,
      ownerEmail: seat.ownerEmail,
      joinedAt: seat.joinedAt.toISOString(),
    },
  }
}

/** The new address while its links still work. */
function pendingEmailOf({ email_change: email, email_change_sent_at: sentAt }: Row, now: Date) {
  const isOpen = email !== null && sentAt !== null && new Date(tokenExpiry(new Date(sentAt))) > now
  return isOpen ? email : null
}

const iso = (at: Instant) => at && new Date(at).toISOString()
