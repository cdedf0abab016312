import { eq, inArray } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { userPreferences, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { createPasswordHasher } from '#server/features/identity/auth/passwords/password-hasher.ts'
import { createConfirmedUser } from '#server/features/identity/auth/users/create-user.ts'
import { storePreferences } from '#server/features/reader/preferences/preferences-store.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { withSeedLock } from './seed-lock.ts'

export const demoKeys = ['admin', 'pro', 'team', 'new'] as const
export type DemoKey = (typeof demoKeys)[number]
export type DemoUsers = Record<DemoKey, { id: string; email: string }>

export const demoPassword = 'front-counter'
export const demoEmail = (key: DemoKey) => `${key}@frontcounter.test`

/** Ages are relative to today, so that the dashboard always shows old and new accounts. */
const accounts: Record<DemoKey, { ageDays: number; isAdmin?: boolean; preferences?: Preferences }> = {
  admin: {
    ageDays: 120,
    isAdmin: true,
    preferences: {
      focusAreas: ['Operations', 'Technology'],
      aiLevel: 'advanced',
      goals: ['Stay competitive'],
      franchiseType: 'Other',
    },
  },
  pro: {
    ageDays: 41,
    preferences: {
      focusAreas: ['Marketing', 'Customer Service'],
      aiLevel: 'beginner',
      goals: ['Increase efficiency', 'Improve customer experience'],
      franchiseType: 'Food & Beverage',
    },
  },
  team: {
    ageDays: 18,
    preferences: {
      focusAreas: ['Sales', 'Finance'],
      aiLevel: 'intermediate',
      goals: ['Scale operations', 'Reduce costs'],
      franchiseType: 'Health & Fitness',
    },
  },
  new: { ageDays: 2 },
}

type SeedDeps = Pick<Deps, 'database' | 'clock' | 'hashCost' | 'secrets'>

/** Creates the demo accounts that don't exist yet. Changes made to existing ones stay. Sandbox only. */
export async function seedDemoAccounts(deps: SeedDeps): Promise<DemoUsers> {
  const { db } = deps.database
  const known = await findIds(db)
  if (known.size === demoKeys.length) return asDemoUsers(known)
  const passwordHash = await createPasswordHasher(deps.hashCost).hash(demoPassword)
  return withSeedLock(db, async (tx) => {
    const ids = await findIds(tx)
    for (const key of demoKeys) {
      const email = demoEmail(key)
      if (!ids.has(email)) ids.set(email, await createAccount(tx, deps, key, passwordHash))
    }
    return asDemoUsers(ids)
  })
}

async function findIds(db: Db | Tx): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.email, demoKeys.map(demoEmail)))
  return new Map(rows.map(({ id, email }) => [email ?? '', id]))
}

const asDemoUsers = (ids: ReadonlyMap<string, string>) =>
  Object.fromEntries(
    demoKeys.map((key) => [key, { id: ids.get(demoEmail(key)) ?? '', email: demoEmail(key) }]),
  ) as DemoUsers

async function createAccount(tx: Tx, deps: SeedDeps, key: DemoKey, passwordHash: string): Promise<string> {
  const { ageDays, isAdmin, preferences } = accounts[key]
  const createdAt = new Date(deps.clock().getTime() - ageDays * dayMs)
  const { id } = await createConfirmedUser(tx, deps, { email: demoEmail(key), passwordHash, isAdmin, now: createdAt })
  if (!preferences) return id
  await storePreferences(tx, id, preferences, createdAt)
  // Existing members: going through onboarding again sends no welcome email.
  await tx.update(userPreferences).set({ welcomedAt: createdAt }).where(eq(userPreferences.userId, id))
  return id
}
