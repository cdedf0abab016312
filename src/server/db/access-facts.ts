import type { AccessFacts, SubscriptionFacts } from '#shared/domain/entitlement.ts'

/** The columns of a subscription row that decide about access, and when the row was last synced. */
export type StoredSubscription = SubscriptionFacts & { entitledUntil: Date | null; syncedAt: Date }

/** Everything that can open the portal for a user, as stored. `access/read-access.ts` computes access from it. */
export type StoredAccessFacts = AccessFacts & {
  subscription: StoredSubscription | null
  team: (StoredSubscription & { ownerId: string }) | null
}

type SubscriptionColumns = {
  status: string | null
  product_id: string | null
  current_period_start: string | null
  current_period_end: string | null
  cancel_at: string | null
  pause_starts_at: string | null
  pause_ends_at: string | null
  unpaid_since: string | null
  test_clock_time: string | null
  entitled_until: string | null
  synced_at: string
}

/** The fields that `accessFactsColumns` adds to a JSON row. */
export type AccessFactsRow = SubscriptionColumns & {
  complimentary_until: string | null
  team: (SubscriptionColumns & { owner_id: string }) | null
}

const subscriptionColumns = (table: string) => `
    'status', ${table}.status, 'product_id', ${table}.product_id,
    'current_period_start', ${table}.current_period_start, 'current_period_end', ${table}.current_period_end,
    'cancel_at', ${table}.cancel_at, 'pause_starts_at', ${table}.pause_starts_at,
    'pause_ends_at', ${table}.pause_ends_at, 'unpaid_since', ${table}.unpaid_since,
    'test_clock_time', ${table}.test_clock_time, 'entitled_until', ${table}.entitled_until,
    'synced_at', ${table}.synced_at`

/** Arguments of `json_build_object`. The statement reads `auth.users u` and includes `accessFactsJoins`. */
export const accessFactsColumns = `
    'team', (select json_build_object('owner_id', t.owner_id, ${subscriptionColumns('o')})
      from team_seat t join subscription_state o on o.user_id = t.owner_id where t.user_id = u.id),
    'complimentary_until', c.until,
    ${subscriptionColumns('b')}`

export const accessFactsJoins = `
    left join subscription_state b on b.user_id = u.id
    left join complimentary_access c on c.user_id = u.id`

export const parseAccessFacts = (row: AccessFactsRow): StoredAccessFacts => ({
  subscription: toSubscription(row),
  team: row.team && withOwner(row.team, row.team.owner_id),
  complimentaryUntil: instant(row.complimentary_until),
})

function withOwner(row: SubscriptionColumns, ownerId: string) {
  const subscription = toSubscription(row)
  return subscription && { ...subscription, ownerId }
}

const toSubscription = ({ status, ...row }: SubscriptionColumns): StoredSubscription | null =>
  status === null
    ? null
    : {
        status,
        productId: row.product_id,
        currentPeriodStart: instant(row.current_period_start),
        currentPeriodEnd: instant(row.current_period_end),
        cancelAt: instant(row.cancel_at),
        pauseStartsAt: instant(row.pause_starts_at),
        pauseEndsAt: instant(row.pause_ends_at),
        unpaidSince: instant(row.unpaid_since),
        testClockTime: instant(row.test_clock_time),
        entitledUntil: instant(row.entitled_until),
        syncedAt: new Date(row.synced_at),
      }

const instant = (text: string | null) => (text === null ? null : new Date(text))
