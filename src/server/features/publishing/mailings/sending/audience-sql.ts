import { type SQL, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import { productIdOf } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { eligibilitySql } from '#server/features/publishing/deliverability/eligibility-sql.ts'
import { memberFilterSql } from '#server/features/publishing/segments/filter-sql.ts'
import type { Audience, MailingKind } from '#shared/contracts/publishing/newsletter.ts'
import type { MemberFilter } from '#shared/domain/member-filter.ts'

type Mailing = { id: string; kind: MailingKind; issueId: string | null; audience: Audience }

/** Query fragments over `auth.users u` that select an audience. Counting and preparation use the same ones. */
export type AudienceSql = {
  joins: SQL
  /** Members of the audience. */
  where: SQL
  /** The `DeliveryCause` of a suppressed reader, or null for one who gets the mailing. */
  cause: SQL
  /** True if the reader has access, and with it the whole drop. */
  entitled: SQL
}

/**
 * Drops and digests go to readers with access; free readers get the open sections of drops. News goes to everyone with a
 * confirmed email or, if plans are named, to readers whose access comes from one of them. A mailing to a newsletter goes to
 * its subscribers. `views` are the filters of the audience's `viewIds`.
 */
export function audienceSql(
  config: Pick<Config, 'settings' | 'stripe'>,
  mailing: Mailing,
  now: Date,
  views: readonly (MemberFilter | null)[] = [],
): AudienceSql {
  const access = accessSql(config, sql`u`, now)
  const { newsletterId } = mailing.audience
  const eligibility = eligibilitySql(mailing.kind, { user: sql`u`, email: sql`u.email`, now, newsletterId })
  const conditions = [
    sql`u.email is not null and u.deleted_at is null and not u.is_anonymous`,
    reachedBy(mailing, access.entitled, eligibility.isFreeReader),
    // Those who unsubscribed are counted, as for other streams; those who never subscribed aren't.
    ...(newsletterId === null ? [] : [sql`chosen.user_id is not null`]),
    ...(mailing.kind === 'digest' ? [eligibility.wantsDigest] : []),
    ...filters(config, mailing.audience, access, eligibility.isFreeReader, now),
    ...(mailing.audience.unopenedMailingId === null
      ? []
      : [hasNotOpened(mailing.audience.unopenedMailingId), eligibility.allowsTracking]),
    ...(mailing.audience.viewIds.length > 0 ? [isInViews(config, views, now)] : []),
  ]
  return {
    joins: sql`${access.joins} ${eligibility.joins}
      left join user_preferences answers on answers.user_id = u.id ${earlierDelivery(mailing)}`,
    where: sql.join(conditions, sql` and `),
    cause: sql`coalesce(${eligibility.cause}, ${hadIt(mailing)})`,
    entitled: access.entitled,
  }
}

/** Whom an email is for: depends on the newsletter, or else on the kind. */
export function reachedBy(
  { kind, audience: { newsletterId } }: Pick<Mailing, 'kind' | 'audience'>,
  entitled: SQL,
  isFreeReader: SQL,
): SQL {
  if (newsletterId !== null) {
    return sql`(u.email_confirmed_at is not null
      and (${entitled} or not (select members_only from newsletter where id = ${sql.raw(String(newsletterId))})))`
  }
  if (kind === 'news' || kind === 'series' || kind === 'personal') return sql`u.email_confirmed_at is not null`
  return kind === 'issue' ? sql`(${entitled} or ${isFreeReader})` : entitled
}

/** Views that have been deleted since (null) show no one. */
function isInViews(
  config: Pick<Config, 'settings' | 'stripe'>,
  views: readonly (MemberFilter | null)[],
  now: Date,
): SQL {
  const conditions = views.map((filter) => (filter ? memberFilterSql(config, filter, now).where : sql`false`))
  return sql`exists (select 1 from member_facts f
    where f.user_id = u.id and (${sql.join([...conditions, sql`false`], sql` or `)}))`
}

/** The preferences that decide a reader's section ordering, as canonical JSON: equal text means equal ordering. */
export const readerSql = sql`json_build_object(
  'focusAreas', coalesce(answers.focus_areas, '{}'), 'aiLevel', nullif(answers.ai_level, ''),
  'goals', coalesce(answers.goals, '{}'), 'franchiseType', answers.franchise_type)::text`

/** The columns of a delivery that come from the member. */
export const memberSql = sql`u.email, coalesce(${textIn('full_name')}, ${textIn('name')}) as name, ${readerSql} as reader`

/** A metadata field of the account if it is a string. Clients can store anything there. */
function textIn(key: string) {
  return sql`case when jsonb_typeof(u.raw_user_meta_data -> ${key}::text) = 'string'
    then nullif(trim(u.raw_user_meta_data ->> ${key}::text), '') end`
}

/**
 * Readers who already got the issue, where a unique key allows at most one row each, or another resend of the mailing. A join, because a subquery would scan the
 * rows written by the same statement once per reader.
 */
const earlierDelivery = ({ id, issueId, audience: { unopenedMailingId } }: Mailing) =>
  unopenedMailingId !== null
    ? sql`left join (select distinct d.user_id from deliveries d join mailings m on m.id = d.mailing_id
          where m.audience ->> 'unopenedMailingId' = ${unopenedMailingId} and m.id <> ${id}::uuid
            and d.status in ('pending', 'sending', 'submitted', 'unknown')) earlier on earlier.user_id = u.id`
    : issueId === null
      ? sql``
      : sql`left join deliveries earlier
        on earlier.user_id = u.id and earlier.issue_id = ${issueId} and earlier.mailing_id <> ${id}::uuid
          and earlier.status in ('pending', 'sending', 'submitted', 'unknown')`

/** Received the mailing, and as far as is known didn't read it. */
const hasNotOpened = (mailingId: string) => sql`exists (select 1 from deliveries first
  where first.mailing_id = ${mailingId}::uuid and first.user_id = u.id and first.status = 'submitted'
    and first.opened_at is null and first.clicked_at is null)`

const hadIt = ({ issueId, audience: { unopenedMailingId } }: Mailing) =>
  issueId === null && unopenedMailingId === null
    ? sql`null`
    : sql`case when earlier.user_id is not null then 'already_received' end`

function filters(
  config: Pick<Config, 'settings' | 'stripe'>,
  { plans, focusAreas, franchiseTypes, active, segmentIds }: Audience,
  access: ReturnType<typeof accessSql>,
  isFreeReader: SQL,
  now: Date,
): SQL[] {
  const conditions: SQL[] = []
  if (plans.length > 0) {
    const productIds = plans.flatMap((plan) =>
      plan === 'complimentary' || plan === 'free' ? [] : [productIdOf(config, plan)],
    )
    const complimentary = plans.includes('complimentary') ? sql`${access.productId} is null` : sql`false`
    const free = plans.includes('free') ? sql`(not ${access.entitled} and ${isFreeReader})` : sql`false`
    conditions.push(
      sql`(${access.entitled} and (${access.productId} = any(${list(productIds)}) or ${complimentary}) or ${free})`,
    )
  }
  if (focusAreas.length > 0) conditions.push(sql`answers.focus_areas && ${list(focusAreas)}`)
  if (franchiseTypes.length > 0) conditions.push(sql`answers.franchise_type = any(${list(franchiseTypes)})`)
  if (active) {
    const since = new Date(now.getTime() - active.days * 86_400_000).toISOString()
    const wasHere = sql`coalesce(u.last_sign_in_at >= ${since}::timestamptz, false)`
    conditions.push(active.within ? wasHere : sql`not ${wasHere}`)
  }
  if (segmentIds.length > 0) {
    conditions.push(sql`exists (select 1 from segment_members chosen
      where chosen.user_id = u.id and chosen.segment_id = any(${list(segmentIds)}::uuid[]))`)
  }
  return conditions
}

const list = (words: readonly string[]) =>
  sql`${sql.param(`{${words.map((word) => JSON.stringify(word)).join(',')}}`)}::text[]`
