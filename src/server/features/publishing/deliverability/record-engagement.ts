import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'

/** An open or click, by a person or a bot. */
export type EngagementEvent = {
  deliveryId: string
  type: 'opened' | 'clicked'
  /** Link target; empty for an open. */
  url: string
  isBot: boolean
  at: Date
}

/** Events this soon after sending count as automated. */
const botWindowSeconds = 10
/** The same for events before sending, on a node with another clock. Earlier ones are after the clock was set back. */
const botWindowBeforeSeconds = 120
/** Clicks on this many different links within this time count as automated. */
const botBurst = { count: 3, seconds: 3 }
const maxUrlLength = 500

/**
 * Records opens and clicks once per reader and link, separately for bots. Requires that the publication, the mailing and
 * the reader allow tracking. Clicks that turn out to be part of a burst are reclassified as bots.
 */
export async function recordEngagement(
  { database }: Pick<Deps, 'database'>,
  events: readonly EngagementEvent[],
): Promise<void> {
  if (events.length === 0 || !(await readSendingSettings(database.db)).tracking) return
  const rows = events.map(({ deliveryId, url, ...rest }) => ({
    ...rest,
    delivery_id: deliveryId,
    url: url.slice(0, maxUrlLength),
  }))
  await database.db.transaction(async (tx) => {
    const recorded = await queryRows<{ delivery_id: string | number }>(
      tx,
      sql`insert into email_events (source, external_id, type, delivery_id, detail, is_bot, occurred_at, received_at)
        select 'self', concat_ws(' ', s.type, d.id, md5(s.url), case when s.is_bot then 'bot' end), s.type, d.id,
          nullif(s.url, ''), s.is_bot, s.at, s.at
        from (
          select r.type, r.url, r.at, r.delivery_id,
            r."isBot" or r.at < d.changed_at + interval '1 second' * ${botWindowSeconds}::int
              and r.at > d.changed_at - interval '1 second' * ${botWindowBeforeSeconds}::int as is_bot
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as r (type text, delivery_id bigint, url text, "isBot" boolean, at timestamptz)
          join deliveries d on d.id = r.delivery_id
        ) s
        join deliveries d on d.id = s.delivery_id
        join mailings m on m.id = d.mailing_id and m.tracked
        join email_preferences p on p.user_id = d.user_id and p.allows_tracking
        order by 2, s.at
        on conflict (source, external_id) do nothing
        returning delivery_id`,
    )
    const touched = sql`${sql.param([...new Set(recorded.map(({ delivery_id }) => String(delivery_id)))])}::bigint[]`
    if (recorded.length === 0) return
    await tx.execute(sql`
      update email_events e set is_bot = true, external_id = e.external_id || ' burst ' || e.id
      where e.delivery_id = any(${touched}) and e.type = 'clicked' and not e.is_bot and (
        select count(distinct o.detail) from email_events o where o.delivery_id = e.delivery_id and o.type = 'clicked'
          and abs(extract(epoch from o.occurred_at - e.occurred_at)) <= ${botBurst.seconds}::int
      ) >= ${botBurst.count}::int`)
    await tx.execute(sql`
      update deliveries d set opened_at = seen.opened, clicked_at = seen.clicked,
        bot_opened_at = seen.bot_opened, bot_clicked_at = seen.bot_clicked
      from (
        select t.id, min(e.occurred_at) filter (where e.type = 'opened' and not e.is_bot) as opened,
          min(e.occurred_at) filter (where e.type = 'clicked' and not e.is_bot) as clicked,
          min(e.occurred_at) filter (where e.type = 'opened' and e.is_bot) as bot_opened,
          min(e.occurred_at) filter (where e.type = 'clicked' and e.is_bot) as bot_clicked
        from unnest(${touched}) as t (id)
        left join email_events e on e.delivery_id = t.id group by t.id
      ) seen
      where d.id = seen.id and (d.opened_at, d.clicked_at, d.bot_opened_at, d.bot_clicked_at)
        is distinct from (seen.opened, seen.clicked, seen.bot_opened, seen.bot_clicked)`)
    // Facts that the members list filters by. Sorted, so that concurrent batches don't wait for each other in a circle.
    await tx.execute(sql`
      update member_facts f set last_opened_at = last.opened, last_clicked_at = last.clicked
      from (
        select d.user_id, max(d.opened_at) as opened, max(d.clicked_at) as clicked
        from (
          select user_id from member_facts
          where user_id in (select user_id from deliveries where id = any(${touched}))
          order by user_id for no key update
        ) member
        join deliveries d on d.user_id = member.user_id group by d.user_id
      ) last
      where f.user_id = last.user_id
        and (f.last_opened_at, f.last_clicked_at) is distinct from (last.opened, last.clicked)`)
  })
}
