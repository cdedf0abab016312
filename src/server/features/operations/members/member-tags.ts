import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { memberTags } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { displayName } from '#server/features/identity/auth/security/editor.ts'
import { lockPresentUser } from '#server/features/identity/auth/users/lock-user.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'

/** Suggestions, not a complete list. */
const maxTagsInUse = 500

export async function readMemberTags(db: Db, userId: string) {
  const [tags, inUse] = await Promise.all([tagsOf(db, userId), listTagsInUse(db)])
  return { tags, inUse }
}

async function tagsOf(db: Db | Tx, userId: string): Promise<string[]> {
  const rows = await db
    .select({ tag: memberTags.tag })
    .from(memberTags)
    .where(eq(memberTags.userId, userId))
    .orderBy(asc(memberTags.tag))
  return rows.map(({ tag }) => tag)
}

/** Jumps from tag to tag in the index, so that the number of tagged members doesn't matter. */
export async function listTagsInUse(db: Db): Promise<string[]> {
  const rows = await queryRows<{ tag: string }>(
    db,
    sql`with recursive tags as (
        (select tag from member_tags order by tag limit 1)
        union all
        select (select next.tag from member_tags next where next.tag > tags.tag order by next.tag limit 1) from tags where tags.tag is not null
      )
      select tag from tags where tag is not null limit ${maxTagsInUse}`,
  )
  return rows.map(({ tag }) => tag)
}

/** @throws AppError not_found */
export async function setMemberTags(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  who: Actor,
  { userId, tags }: { userId: string; tags: readonly string[] },
) {
  const wanted = [...new Set(tags)].toSorted()
  return database.db.transaction(async (tx) => {
    const { email } = await lockPresentUser(tx, userId)
    const before = await tagsOf(tx, userId)
    const removed = before.filter((tag) => !wanted.includes(tag))
    const added = wanted.filter((tag) => !before.includes(tag))
    if (removed.length > 0) {
      await tx.delete(memberTags).where(and(eq(memberTags.userId, userId), inArray(memberTags.tag, removed)))
    }
    const now = clock()
    for (const tag of added) await tx.execute(insertTag(tag, who, now, sql`u.id = ${userId}::uuid`))
    const changes = changesBetween({ tags: textOf(before) }, { tags: textOf(wanted) })
    if (changes.length > 0) {
      const about = { userId, email: email ?? '' }
      await recordAdminEvent(tx, who, { event: 'member_tagged', about, changes, now })
    }
    return { tags: wanted }
  })
}

const textOf = (tags: readonly string[]) => tags.join(', ') || null

/** Adds a tag to the users `u` that match, except those who have it. */
export function insertTag(tag: string, who: Actor, now: Date, where: ReturnType<typeof sql>) {
  return sql`insert into member_tags (user_id, tag, joined_micros, added_at, added_by, added_by_id)
    select u.id, ${tag}, (extract(epoch from u.created_at) * 1000000)::bigint, ${now.toISOString()}::timestamptz,
      ${displayName(who.name, 'Admin')}, ${who.userId || null}::uuid
    from auth.users u where ${where} on conflict do nothing`
}
