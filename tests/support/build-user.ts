import { subscriptionState, userPreferences, userRoles } from '#server/db/schema/index.ts'
import { createPasswordHasher } from '#server/features/identity/auth/passwords/password-hasher.ts'
import { createSession } from '#server/features/identity/auth/sessions/create-session.ts'
import { createSessionResponse } from '#server/features/identity/auth/sessions/session-response.ts'
import { createUser } from '#server/features/identity/auth/users/create-user.ts'
import { type StaffRole, storedRole } from '#shared/domain/staff-roles.ts'
import type { PlanKey } from '#tests/support/default-plans.ts'
import type { TestApp } from './create-test-app.ts'

const dayMs = 24 * 60 * 60_000

export type UserOptions = {
  email?: string
  password?: string
  /** Whether the email is confirmed. Default: true. */
  confirmed?: boolean
  /** An owner. */
  admin?: boolean
  role?: StaffRole
  data?: Record<string, unknown>
  /** Stripe's subscription status. By default there is no subscription row. */
  subscription?: 'active' | 'trialing' | 'past_due' | 'canceled' | 'unpaid' | 'paused' | 'incomplete'
  /** The subscription's plan. */
  plan?: PlanKey
  /** Overrides columns of the subscription row, which by default is a monthly plan started ten days ago. */
  subscriptionFacts?: Partial<typeof subscriptionState.$inferInsert>
  preferences?: Partial<typeof userPreferences.$inferInsert>
  createdAt?: Date
}

export type TestUser = {
  id: string
  email: string
  password: string
  token: string
  refreshToken: string
  sessionId: string
  /** Headers for a signed-in JSON request. */
  headers: { Authorization: string; 'Content-Type': string }
}

/** Shared by all test files. Addresses have a fixed width, so that later users also sort later. */
let counter = 0

/** Creates a user with a session and related rows directly in the database, which is faster than the API. */
export async function buildUser(app: TestApp, options: UserOptions = {}): Promise<TestUser> {
  const { deps } = app
  counter += 1
  const email = options.email ?? `reader-${String(counter).padStart(5, '0')}@example.test`
  const now = deps.clock()
  const password = options.password ?? 'correct horse'
  const passwordHash = await createPasswordHasher(deps.hashCost).hash(password)
  const opened = await deps.database.db.transaction(async (tx) => {
    const user = await createUser(tx, deps, {
      email,
      passwordHash,
      data: options.data,
      confirmedAt: options.confirmed === false ? null : now,
      now: options.createdAt ?? now,
    })
    const role = options.admin ? 'owner' : options.role
    if (role) await tx.insert(userRoles).values({ userId: user.id, role: storedRole(role) })
    if (options.subscription) await tx.insert(subscriptionState).values(subscriptionRow(app, user.id, options))
    if (options.preferences) await tx.insert(userPreferences).values(preferencesRow(user.id, options.preferences))
    const client = { ip: '127.0.0.1', userAgent: 'tests' }
    return { ...user, ...(await createSession(tx, { userId: user.id, method: 'password', client, now })) }
  })
  const session = await createSessionResponse(deps, opened)
  return {
    id: opened.id,
    email: opened.email,
    password,
    token: session.access_token,
    refreshToken: session.refresh_token,
    sessionId: opened.sessionId,
    headers: { Authorization: `Bearer ${session.access_token}`, 'Content-Type': 'application/json' },
  }
}

function subscriptionRow(app: TestApp, userId: string, options: UserOptions): typeof subscriptionState.$inferInsert {
  const now = app.clock.now
  const ids = app.deps.config.stripe.ids[options.plan ?? 'pro_monthly']
  const begun = new Date(now.getTime() - 10 * dayMs)
  const end = new Date(now.getTime() + 20 * dayMs)
  return {
    userId,
    stripeSubscriptionId: `sub_${userId}`,
    status: options.subscription ?? 'active',
    productId: ids.productId,
    priceId: ids.priceId,
    currentPeriodStart: begun,
    currentPeriodEnd: end,
    unpaidSince: options.subscription === 'past_due' ? now : null,
    entitledUntil: end,
    syncSeq: 1,
    syncedAt: now,
    ...options.subscriptionFacts,
  }
}

const preferencesRow = (userId: string, given: Partial<typeof userPreferences.$inferInsert>) => ({
  focusAreas: ['Operations'],
  aiLevel: 'beginner',
  goals: [],
  ...given,
  userId,
})
