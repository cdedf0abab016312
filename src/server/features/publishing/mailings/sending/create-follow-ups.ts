import { sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { mailings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import { eligibilitySql } from '#server/features/publishing/deliverability/eligibility-sql.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { type EmailSection, everyone, type MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import type { TriedItem } from '#shared/contracts/reader/tries.ts'
import { tryOutcomeLabels, tryOutcomes } from '#shared/domain/try-outcomes.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { memberSql } from './audience-sql.ts'
import { derivedMailingId } from './mailing-row.ts'

/** Hour of the day in the publication's time zone. */
const followUpHour = 9
const askAfterDays = 7
/** Readers don't remember older ones. */
const askWithinDays = 35
const maxItemsPerEmail = 3

const headings = { subject: 'Did it work?', preheader: 'Tell us how it went, and see what it adds up to.' }

type FollowUpDeps = Pick<Deps, 'config' | 'database' | 'clock'>

/**
 * Creates the day's follow-ups: one mailing that asks each reader about up to three items that they started a week ago
 * and haven't answered. Marking the items, the mailing and its deliveries are one transaction, and the mailing's id is
 * derived from the day, so crashes and several nodes don't repeat it.
 */
export async function createFollowUps({ config, database, clock }: FollowUpDeps): Promise<string | null> {
  const now = clock()
  const { timeZone, postalAddress } = await readSendingSettings(database.db)
  // Without a postal address, list email isn't sent.
  if (!(postalAddress || config.samplePostalAddress)) return null
  const local = localTimeOf(now.toISOString(), timeZone)
  if (Number(local.slice(11, 13)) < followUpHour || (await isOnHold(database.db))) return null
  const id = derivedMailingId(`follow-ups of ${local.slice(0, 10)}`)
  return database.db.transaction(async (tx) => {
    const [made] = await tx
      .insert(mailings)
      .values({
        id,
        kind: 'follow-up',
        ...headings,
        status: 'sending',
        audience: everyone,
        createdAt: now,
        preparedAt: now,
        startedAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: mailings.id })
    if (!made) return null
    const items = await markDue(tx, config, now)
    if (items.length === 0) {
      await tx.delete(mailings).where(sql`${mailings.id} = ${id}::uuid`)
      return null
    }
    await tx
      .update(mailings)
      .set({ content: followUpContent(items), frozenAt: now })
      .where(sql`${mailings.id} = ${id}::uuid`)
    await tx.execute(addDeliveries(id, items, now))
    return id
  })
}

type DueItem = TriedItem & { title: string; path: string }

/** Marks what readers are asked about now, at most one email a week each, and returns the items. */
async function markDue(tx: Tx, config: FollowUpDeps['config'], now: Date): Promise<DueItem[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const before = (days: number) => sql`${new Date(now.getTime() - days * 86_400_000).toISOString()}::timestamptz`
  const access = accessSql(config, sql`u`, now)
  const eligibility = eligibilitySql('follow-up', { user: sql`u`, email: sql`u.email`, now })
  return queryRows<DueItem>(
    tx,
    sql`
    with due as (
      select t.user_id, t.kind, t.item_id,
        row_number() over (partition by t.user_id order by t.started_at, t.kind, t.item_id) as place
      from tries t
      join content_items i on i.kind = t.kind and i.id = t.item_id and i.removed_at is null
      join auth.users u on u.id = t.user_id ${access.joins} ${eligibility.joins}
      where t.answered_at is null and t.removed_at is null and t.asked_at is null
        and t.started_at <= ${before(askAfterDays)} and t.started_at > ${before(askWithinDays)}
        and u.email is not null and not u.is_anonymous and ${access.entitled} and ${eligibility.cause} is null
        and not exists (
          select 1 from tries asked where asked.user_id = t.user_id and asked.asked_at > ${before(askAfterDays)})
    ), marked as (
      update tries t set asked_at = ${at} from due
      where due.place <= ${maxItemsPerEmail}
        and t.user_id = due.user_id and t.kind = due.kind and t.item_id = due.item_id
      returning t.kind, t.item_id
    )
    select distinct i.kind, i.id, i.title, i.path
    from marked join content_items i on i.kind = marked.kind and i.id = marked.item_id
    order by i.kind, i.id`,
  )
}

/** A reader's sections are the positions of their items in the content. */
function addDeliveries(mailingId: string, items: readonly DueItem[], now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`
  const positions = JSON.stringify(items.map(({ kind, id }, position) => ({ kind, id, position })))
  return sql`
    insert into deliveries (mailing_id, user_id, email, domain, name, reader, status, changed_at)
    select ${mailingId}::uuid, u.id, email, split_part(email, '@', 2), name,
      (reader::jsonb || jsonb_build_object('sections', asked.sections))::text, 'pending', ${at}
    from (
      select t.user_id, jsonb_agg(p.position order by t.started_at, t.kind, t.item_id) as sections
      from tries t
      join jsonb_to_recordset(${positions}::jsonb) as p (kind text, id text, position int)
        on p.kind = t.kind and p.id = t.item_id
      where t.asked_at = ${at}
      group by t.user_id
    ) as asked
    join lateral (
      select u.id, ${memberSql} from auth.users u left join user_preferences answers on answers.user_id = u.id
      where u.id = asked.user_id
    ) as u on true
    order by u.id`
}

export function followUpContent(items: readonly DueItem[]): MailingContent {
  return {
    kind: 'follow-up',
    ...headings,
    title: 'Did it work?',
    date: null,
    worth: '',
    intro:
      'Hi {{first_name|there}}, at least a week ago you copied a prompt or asked for a reminder. How did it go? Each link opens a page where you confirm your answer.',
    sections: items.map(sectionOf),
    closing:
      'Your answer is private: the editor and other members only see totals, once there are five answers. [See what it adds up to](/portal/value)',
    question: '',
    path: null,
  }
}

function sectionOf({ kind, id, title, path }: DueItem): EmailSection {
  const answers = tryOutcomes.map((outcome) => {
    const query = new URLSearchParams({ kind, id, outcome })
    return `- [${tryOutcomeLabels[outcome]}](/portal/tried?${query})`
  })
  return {
    heading: title,
    summary: '',
    body: answers.join('\n'),
    focusAreas: [],
    aiLevel: null,
    goals: [],
    franchiseTypes: [],
    minutes: null,
    partOfLead: false,
    openToEveryone: false,
    kind: null,
    examples: {},
    path,
  }
}
