import { sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import { type Db, queryRows } from '#server/db/database.ts'
import {
  boundsSql,
  indexOnly,
  memberFilterSql,
  readFilterContext,
} from '#server/features/publishing/segments/filter-sql.ts'
import { maxCountedMembers } from '#shared/contracts/operations/members.ts'
import type { MemberFilter } from '#shared/domain/member-filter.ts'

type Deps = { config: Pick<Config, 'settings' | 'stripe'>; db: Db }

/** Counts the members that match, up to a limit, so that a count costs no more than reading so many rows. */
export async function countMembers(deps: Deps, filter: MemberFilter, now: Date) {
  const { rest, indexed, joined } = memberFilterSql(
    deps.config,
    filter,
    now,
    await readFilterContext(deps.db, filter, now),
  )
  const [row] = await deps.db.transaction(async (tx) => {
    // The list estimates the same way: the statistics don't know how filters depend on each other.
    await tx.execute(indexOnly)
    return queryRows<{ count: number }>(
      tx,
      sql`select count(*)::int as count from (
        select 1 from (
          select f.* from member_facts f where ${indexed} and ${boundsSql(sql`f.created_at`, joined)} offset 0) f
        where ${rest} limit ${maxCountedMembers + 1}) counted`,
    )
  })
  const count = row?.count ?? 0
  return { count: Math.min(count, maxCountedMembers), isCapped: count > maxCountedMembers }
}
