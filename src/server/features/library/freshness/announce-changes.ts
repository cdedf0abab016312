import { sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import type { ChangedItem, MailingKind } from '#shared/contracts/publishing/newsletter.ts'
import { keptItemsSql } from './read-versions.ts'

/** Older changes are shown only on the item's page. */
const maxAgeDays = 90
/** Per email, newest first. The others go into the next email. */
const maxPerEmail = 10

type Mailing = { id: string; kind: MailingKind }

const isRecent = (now: Date) => sql`version > 1 and removed_at is null and kind <> 'issue'
  and changed_at > ${new Date(now.getTime() - maxAgeDays * 86_400_000).toISOString()}::timestamptz`

/**
 * Records the changes that a mailing announces to each recipient: those of their items that no email announced yet. Call it
 * in the transaction that freezes the recipients. Only drops and digests announce changes, because their readers have access.
 * @returns the changed items; none if nothing changed, which costs one short statement
 */
export async function announceChanges(tx: Tx, { id, kind }: Mailing, now: Date): Promise<ChangedItem[]> {
  if (kind !== 'issue' && kind !== 'digest') return []
  const recent = await queryRows(tx, sql`select 1 as one from content_items where ${isRecent(now)} limit 1`)
  if (recent.length === 0) return []
  // Two mailings prepared at once must not announce the same change to a reader.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('announce-changes', 0))`)
  await tx.execute(sql`
    with changed as (select kind, id, changed_at from content_items where ${isRecent(now)}),
    due as (
      select k.user_id, c.kind, c.item_id, c.version,
        dense_rank() over (partition by k.user_id order by i.changed_at desc, i.kind, i.id) as place
      from (${keptItemsSql(sql`(kind, item_id) in (select kind, id from changed)`)}) as k
      join changed i on i.kind = k.kind and i.id = k.item_id
      join item_changes c on c.kind = i.kind and c.item_id = i.id and c.changed_at > k.at
      join deliveries d on d.mailing_id = ${id}::uuid and d.user_id = k.user_id and d.status = 'pending'
      left join seen_changes s on s.user_id = k.user_id and s.kind = k.kind and s.item_id = k.item_id
      where coalesce(s.version, 0) < c.version and not exists (
        select 1 from emailed_changes e
        join deliveries told on told.mailing_id = e.mailing_id and told.user_id = e.user_id
        where e.user_id = k.user_id and e.kind = c.kind and e.item_id = c.item_id and e.version >= c.version
          and told.status in ('pending', 'sending', 'submitted', 'unknown'))
    )
    insert into emailed_changes (user_id, kind, item_id, version, mailing_id)
    select user_id, kind, item_id, version, ${id}::uuid from due where place <= ${maxPerEmail}
    on conflict do nothing`)
  return queryRows<ChangedItem>(
    tx,
    sql`select ${changeKeySql} as key, i.title, i.path, coalesce((
        select string_agg(c.note, ' ' order by c.version) from item_changes c
        where c.kind = e.kind and c.item_id = e.item_id and c.version between e.since and e.until and c.note <> ''), '') as note
      from (select distinct kind, item_id, min(version) as since, max(version) as until
        from emailed_changes where mailing_id = ${id}::uuid group by user_id, kind, item_id) as e
      join content_items i on i.kind = e.kind and i.id = e.item_id
      order by i.changed_at desc, key`,
  )
}

/** Earlier notes that no email announced to a reader come along. */
const changeKeySql = sql`e.kind || ':' || e.item_id || case when e.since < e.until then ':' || e.since else '' end`

/** Keys of the items that a mailing tells a reader about, one per line; null if there are none. */
export const announcedSql = (mailingId: string) => sql`(select string_agg(${changeKeySql}, chr(10)) from (
  select kind, item_id, min(version) as since, max(version) as until from emailed_changes
  where mailing_id = ${mailingId}::uuid and user_id = marked.user_id group by kind, item_id) as e)`
