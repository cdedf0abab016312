import { subscriptionState } from '#server/db/schema/index.ts'
import { signAccessToken } from '#server/features/auth/access-token.ts'
import { createConfirmedUser } from '#server/features/auth/create-user.ts'
import { openSession } from '#server/features/auth/open-session.ts'
import { findSession } from '#server/features/auth/session-row.ts'
import { storePreferences } from '#server/features/onboarding/preferences-store.ts'
import type { Preferences } from '#shared/contracts/preferences.ts'
import type { TestApp } from './create-test-app.ts'

export type UserOptions = {
  email?: string
  isAdmin?: boolean
  /** Stripe's status words; none for somebody who has never paid. */
  subscription?: 'active' | 'past_due' | 'canceled'
  preferences?: Partial<Preferences>
  createdAt?: Date
}

export type TestUser = { id: string; email: string; token: string }

const monthMs = 30 * 24 * 60 * 60 * 1000
let built = 0

/** A confirmed user with a live session, written past the forms: tests of other things need no sign-up. */
export async function buildUser(server: TestApp, options: UserOptions = {}): Promise<TestUser> {
  const { database } = server.deps
  const now = server.clock.now
  built += 1
  const user = await createConfirmedUser(database.db, {
    email: options.email ?? `user${built}@example.com`,
    passwordHash: null,
    isAdmin: options.isAdmin,
    now: options.createdAt ?? now,
  })
  if (options.preferences) {
    const usual: Preferences = { focusAreas: ['Operations'], aiLevel: 'beginner', goals: [], franchiseType: null }
    await storePreferences(database.db, user.id, { ...usual, ...options.preferences }, now)
  }
  if (options.subscription) await subscribe(server, user.id, options.subscription)
  const client = { ip: '127.0.0.1', userAgent: 'test' }
  const { sessionId } = await database.db.transaction((tx) =>
    openSession(tx, { userId: user.id, method: 'password', client, now }),
  )
  const session = await findSession(database, user.id, sessionId)
  if (!session) throw new Error('the session that was just opened is not there')
  const { token } = await signAccessToken(server.deps, session)
  return { ...user, token }
}

async function subscribe(server: TestApp, userId: string, status: string) {
  const now = server.clock.now
  await server.deps.database.db.insert(subscriptionState).values({
    userId,
    status,
    stripeSubscriptionId: `sub_${userId}`,
    productId: server.deps.config.stripe.ids.pro_monthly.productId,
    priceId: server.deps.config.stripe.ids.pro_monthly.priceId,
    currentPeriodStart: now,
    currentPeriodEnd: new Date(now.getTime() + monthMs),
    syncSeq: 1,
    syncedAt: now,
  })
}
