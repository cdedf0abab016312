import { and, eq, like, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { userPreferences, users } from '#server/db/schema/index.ts'
import { asPreferences } from '#server/features/onboarding/preferences-store.ts'
import type { AdminUser } from '#shared/contracts/admin-users.ts'
import { toStored } from '#shared/contracts/preferences.ts'
import { emailPattern } from './search-pattern.ts'
import { decodeCursor, encodeCursor, type UserPosition } from './user-cursor.ts'

const defaultPageSize = 50

export type UserQuery = { search?: string | null; cursor?: string | null; limit?: number }

/**
 * Users newest first, in keyset pages: any page costs what the first one costs. The row comparison and the order are
 * written as the index `users_created_at_id_idx` has them, nulls included, or the planner would sort every user.
 */
export async function listUsers(db: Db, { search, cursor, limit = defaultPageSize }: UserQuery) {
  const conditions: (SQL | undefined)[] = [
    cursor ? olderThan(decodeCursor(cursor)) : undefined,
    search ? like(users.email, emailPattern(search)) : undefined,
  ]
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      createdAt: users.createdAt,
      // The driver's dates end at milliseconds: two users of one millisecond would be lost between pages.
      createdAtMicros: sql<string>`(extract(epoch from ${users.createdAt}) * 1000000)::bigint::text`,
      preferences: userPreferences,
    })
    .from(users)
    .leftJoin(userPreferences, eq(userPreferences.userId, users.id))
    .where(and(...conditions))
    .orderBy(sql`${users.createdAt} desc nulls last`, sql`${users.id} desc nulls last`)
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    users: page.map(asAdminUser),
    next_cursor: rows.length > limit && last ? encodeCursor(last) : null,
  }
}

const olderThan = ({ createdAtMicros, id }: UserPosition) =>
  sql`(${users.createdAt}, ${users.id}) < ('epoch'::timestamptz + ${createdAtMicros}::bigint * interval '1 microsecond', ${id}::uuid)`

type Row = {
  id: string
  email: string | null
  createdAt: Date
  preferences: typeof userPreferences.$inferSelect | null
}

function asAdminUser({ id, email, createdAt, preferences }: Row): AdminUser {
  const known = asPreferences(preferences)
  return {
    id,
    email: email ?? '',
    created_at: createdAt.toISOString(),
    preferences: known && toStored(known),
  }
}
