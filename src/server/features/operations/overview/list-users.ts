import { and, eq, like, type SQL, sql } from 'drizzle-orm'
import { afterCursor, createdAtPosition, type Db, newestFirst, toMicroseconds } from '#server/db/database.ts'
import { emailSearchPattern } from '#server/db/email-search.ts'
import { userPreferences, users } from '#server/db/schema/index.ts'
import { asPreferences } from '#server/features/reader/preferences/preferences-store.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { AdminUser } from '#shared/contracts/operations/admin-users.ts'
import { toStored } from '#shared/contracts/reader/preferences.ts'

const defaultPageSize = 50

export type UserQuery = { search?: string | null; cursor?: string | null; limit?: number }

/** Newest first, in keyset pages: every page costs the same. */
export async function listUsers(db: Db, { search, cursor, limit = defaultPageSize }: UserQuery) {
  const after = cursor ? decodeCursor(cursor, createdAtPosition) : null
  const conditions: (SQL | undefined)[] = [
    after ? afterCursor(users, after[0], sql`${after[1]}::uuid`) : undefined,
    search ? like(users.email, emailSearchPattern(search)) : undefined,
  ]
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      createdAt: users.createdAt,
      createdAtMicros: toMicroseconds(users.createdAt),
      preferences: userPreferences,
    })
    .from(users)
    .leftJoin(userPreferences, eq(userPreferences.userId, users.id))
    .where(and(...conditions))
    .orderBy(...newestFirst(users))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(rows, limit, (last) => [last.createdAtMicros, last.id])
  return { users: page.map(asAdminUser), next_cursor: nextCursor }
}

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
