import { sql } from 'drizzle-orm'
import { suppressedStreamText, suppressionReasons } from '#shared/contracts/publishing/deliverability.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { planOf } from '#shared/domain/plans.ts'
import { optionLabels, type Questions } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { questionName } from '#shared/domain/questions.ts'
import {
  asBigint,
  asText,
  asUuid,
  micros,
  numberPattern,
  type SourceRow,
  type TimelineSource,
  textPattern,
  uuidPattern,
} from './timeline-source.ts'
import { staffSources } from './timeline-staff-log.ts'

const define = <Row extends SourceRow>(source: TimelineSource<Row>): TimelineSource => source

/** Newest note first. */
const notes = define<SourceRow & { text: string; author: string | null; edited: boolean }>({
  kinds: ['notes'],
  id: uuidPattern,
  query: ({ member }, before) => ({
    select: sql`select ${micros(sql`n.created_at`)} as micros, n.id::text as id, n.text, n.updated_at > n.created_at as edited,
      coalesce((select u.email from auth.users u where u.id = n.created_by_id), n.created_by) as author from member_notes n`,
    where: sql`n.user_id = ${member.userId}::uuid and ${before(sql`n.created_at`, sql`n.id`, asUuid)}`,
    order: sql`n.created_at desc nulls last, n.id desc nulls last`,
  }),
  toEntry: ({ text, author, edited }) => ({
    kind: 'notes',
    title: edited ? 'Note (edited)' : 'Note',
    details: [text],
    by: author,
  }),
})

const signUp = define({
  kinds: ['account'],
  id: uuidPattern,
  query: ({ member }, before) => ({
    select: sql`select ${micros(sql`u.created_at`)} as micros, u.id::text as id from auth.users u`,
    where: sql`u.id = ${member.userId}::uuid and ${before(sql`u.created_at`, sql`u.id`, asUuid)}`,
    order: sql`u.created_at desc`,
  }),
  toEntry: () => ({ kind: 'account', title: 'Joined' }),
})

type Answers = SourceRow & {
  is_change: boolean
  is_current: boolean
  focus_areas: string[]
  ai_level: string
  goals: string[]
  franchise_type: string | null
}

const answerText = (publication: Questions, question: QuestionName, keys: readonly string[]) =>
  `${questionName(publication, question)}: ${optionLabels(publication, question, keys).join(', ') || 'none'}`

/** The first answers and the latest change; the answers in between aren't kept. */
const answers = define<Answers>({
  kinds: ['account'],
  id: numberPattern,
  query: ({ member }, before) => ({
    select: sql`select ${micros(sql`a.at`)} as micros, a.id::text as id, a.id = 1 as is_change,
      a.at = a.updated_at as is_current, a.focus_areas, a.ai_level, a.goals, a.franchise_type
      from (select p.*, e.id, e.at from user_preferences p cross join lateral (
        values (0::bigint, p.created_at), (1::bigint, nullif(p.updated_at, p.created_at))) as e (id, at)
        where p.user_id = ${member.userId}::uuid and e.at is not null) a`,
    where: before(sql`a.at`, sql`a.id`, asBigint),
    order: sql`a.at desc, a.id desc`,
  }),
  toEntry: ({ is_change, is_current, focus_areas, ai_level, goals, franchise_type }, { publication }) => ({
    kind: 'account',
    title: is_change ? 'Changed their answers' : 'Answered the questions',
    details: is_current
      ? [
          ...(focus_areas.length > 0 ? [answerText(publication, 'focusAreas', focus_areas)] : []),
          ...(ai_level ? [answerText(publication, 'aiLevel', [ai_level])] : []),
          answerText(publication, 'goals', goals),
          ...(franchise_type ? [answerText(publication, 'franchiseType', [franchise_type])] : []),
        ]
      : [],
  }),
})

const accountEmailOutcomes: Readonly<Record<string, string>> = {
  queued: 'Waiting to be sent',
  sent: 'Sent',
  skipped: 'Not sent',
  failed: 'Failed, trying again',
}

const accountEmail = define<SourceRow & { subject: string; status: string; error: string | null }>({
  kinds: ['emails'],
  id: uuidPattern,
  query: ({ member }, before) =>
    member.email
      ? {
          select: sql`select ${micros(sql`e.requested_at`)} as micros, e.id::text as id, e.subject, e.status, e.error
            from account_emails e`,
          where: sql`e.email = ${member.email} and ${before(sql`e.requested_at`, sql`e.id`, asUuid)}`,
          order: sql`e.requested_at desc, e.id desc`,
        }
      : null,
  toEntry: ({ subject, status, error }) => ({
    kind: 'emails',
    title: subject,
    details: ['Account email', accountEmailOutcomes[status] ?? status, ...(error ? [error] : [])],
    isProblem: status === 'failed' || status === 'skipped',
  }),
})

type Delivery = SourceRow & {
  subject: string
  kind: string
  status: string
  cause: string | null
  sent_at: string | null
  bounced_at: string | null
  bounce_type: string | null
  complained_at: string | null
  opened_at: string | null
  clicked_at: string | null
}

const mailingKinds: Readonly<Record<string, string>> = {
  issue: 'Weekly drop',
  digest: 'Monthly digest',
  news: 'Product news',
  'follow-up': 'Follow-up',
  series: 'Series',
  personal: 'Personal email',
}
const deliveryOutcomes: Readonly<Record<string, string>> = {
  pending: 'Waiting',
  sending: 'Sending',
  submitted: 'Delivered to the mail server',
  failed: 'Failed',
  suppressed: 'Not sent',
  stopped: 'Stopped',
  unknown: 'Unknown',
}
const isProblemStatus = (status: string) => ['failed', 'suppressed', 'unknown'].includes(status)

/**
 * Mailings newest first, each looked up among the member's deliveries by its key. There are far fewer mailings than
 * deliveries, so no index on deliveries has to be kept while sending.
 */
const newsletter = define<Delivery>({
  kinds: ['emails'],
  id: uuidPattern,
  query: ({ member }, before) => ({
    select: sql`select ${micros(sql`m.started_at`)} as micros, m.id::text as id, m.subject, m.kind, d.status, d.cause,
      d.bounced_at, d.bounce_type, d.complained_at, d.opened_at, d.clicked_at
      from mailings m cross join lateral (
        select * from deliveries d where d.user_id = ${member.userId}::uuid and d.mailing_id = m.id offset 0) d`,
    where: sql`m.started_at is not null and m.started_at >= ${member.createdAt.toISOString()}::timestamptz
      and ${before(sql`m.started_at`, sql`m.id`, asUuid)}`,
    order: sql`m.started_at desc nulls last, m.id desc nulls last`,
  }),
  toEntry: (row, { publication }) => ({
    kind: 'emails',
    title: row.subject,
    details: [
      inOwnWords(publication, mailingKinds[row.kind] ?? 'Mailing'),
      deliveryOutcomes[row.status] ?? row.status,
      ...(row.cause
        ? [inOwnWords(publication, deliveryCauses[row.cause as keyof typeof deliveryCauses] ?? row.cause)]
        : []),
      ...(row.bounced_at
        ? [`Bounced ${formatDay(row.bounced_at)}${row.bounce_type === 'hard' ? ': the address doesn’t exist' : ''}`]
        : []),
      ...(row.complained_at ? [`Reported as spam ${formatDay(row.complained_at)}`] : []),
      ...(row.opened_at ? [`Opened ${formatDay(row.opened_at)}`] : []),
      ...(row.clicked_at ? [`Clicked ${formatDay(row.clicked_at)}`] : []),
    ],
    isProblem: isProblemStatus(row.status) || row.bounced_at !== null || row.complained_at !== null,
    mailingId: row.id,
  }),
})

type Suppression = SourceRow & {
  stream: string
  newsletter: string | null
  reason: string
  detail: string | null
  lifted_at: string | null
}

const suppression = define<Suppression>({
  kinds: ['emails'],
  id: numberPattern,
  query: ({ member }, before) =>
    member.email
      ? {
          select: sql`select ${micros(sql`s.created_at`)} as micros, s.id::text as id, s.stream, s.reason, s.detail, s.lifted_at,
              (select n.name from newsletter n where s.stream = 'newsletter:' || n.id) as newsletter
            from suppressions s`,
          where: sql`s.email = ${member.email} and ${before(sql`s.created_at`, sql`s.id`, asBigint)}`,
          order: sql`s.created_at desc, s.id desc`,
        }
      : null,
  toEntry: ({ stream, newsletter, reason, detail, lifted_at }, { publication }) => ({
    kind: 'emails',
    title: `Address suppressed: ${newsletter ?? inOwnWords(publication, suppressedStreamText(stream, null))}`,
    details: [
      suppressionReasons[reason as keyof typeof suppressionReasons] ?? reason,
      ...(detail ? [detail] : []),
      ...(lifted_at ? [`Removed ${formatDay(lifted_at)}`] : []),
    ],
    isProblem: lifted_at === null,
  }),
})

type Invoice = SourceRow & {
  is_failure: boolean
  plan: string
  status: string
  currency: string
  due_cents: number
  paid_cents: number
  refunded_cents: number
  attempts: number
  paid_at: string | null
  discounts: [promotionCodeId: string, cents: number][]
  /** Codes of the offers that reduced it. */
  offers: string | null
}

/** An invoice when it was paid, or else created, and the first failed attempt to collect it. */
const invoices = define<Invoice>({
  kinds: ['payments'],
  id: textPattern,
  query: ({ member }, before) =>
    member.customerId
      ? {
          select: sql`select ${micros(sql`i.at`)} as micros, i.entry as id, i.is_failure, i.plan, i.status, i.currency,
            i.due_cents::float8 as due_cents, i.paid_cents::float8 as paid_cents, i.refunded_cents::float8 as refunded_cents,
            i.attempts, i.paid_at, i.discounts,
            (select string_agg(o.code, ', ' order by o.code) from offer o
              where o.stripe_promotion_code_id in (select d ->> 0 from jsonb_array_elements(i.discounts) d where (d ->> 1)::int > 0)) as offers
            from (select r.*, e.at, e.is_failure, r.id || e.suffix as entry from revenue_invoice r cross join lateral (
              values (coalesce(r.paid_at, r.created_at), false, ''), (r.failed_at, true, ':failed')) as e (at, is_failure, suffix)
              where r.customer_id = ${member.customerId} and e.at is not null) i`,
          where: before(sql`i.at`, sql`i.entry`, asText),
          order: sql`i.at desc, i.entry desc`,
        }
      : null,
  toEntry: (row, { publication, seesMoney }) => {
    const money = (cents: number) => (seesMoney ? ` ${formatMoney(cents, row.currency)}` : '')
    const details = [planOf(publication, row.plan).name]
    if (row.is_failure) {
      const outcome = row.status === 'paid' && row.paid_at ? [`Paid ${formatDay(row.paid_at)}`] : ['Not paid']
      return {
        kind: 'payments',
        title: `Payment failed:${money(row.due_cents)}`.replace(/:$/, ''),
        details: [...details, `${row.attempts} ${row.attempts === 1 ? 'attempt' : 'attempts'}`, ...outcome],
        isProblem: row.status !== 'paid',
      }
    }
    const off = row.discounts.reduce((sum, [, cents]) => sum + cents, 0)
    if (off > 0) details.push(`Discount${money(off)}${row.offers ? ` (offer ${row.offers})` : ''}`)
    if (row.refunded_cents > 0) details.push(`Refunded${money(row.refunded_cents)}`)
    if (row.status === 'paid') return { kind: 'payments', title: `Paid${money(row.paid_cents)}`, details }
    return {
      kind: 'payments',
      title: `Invoice${money(row.due_cents)}`,
      details: [...details, invoiceStatuses[row.status] ?? row.status],
      isProblem: row.status !== 'void',
    }
  },
})

const invoiceStatuses: Readonly<Record<string, string>> = {
  open: 'Not paid yet',
  void: 'Voided',
  uncollectible: 'Written off',
  given_up: 'No longer collected',
}

const stripeEvents: Readonly<Record<string, { kind: 'payments' | 'access'; title: string; isProblem?: true }>> = {
  'charge.refunded': { kind: 'payments', title: 'Payment refunded' },
  'charge.dispute.created': { kind: 'payments', title: 'Payment disputed', isProblem: true },
  'charge.dispute.closed': { kind: 'payments', title: 'Dispute closed' },
  'customer.subscription.created': { kind: 'access', title: 'Subscription started' },
  'customer.subscription.deleted': { kind: 'access', title: 'Subscription ended' },
  'customer.subscription.paused': { kind: 'access', title: 'Subscription paused' },
  'customer.subscription.resumed': { kind: 'access', title: 'Subscription resumed' },
  'customer.subscription.trial_will_end': { kind: 'access', title: 'Trial ends in three days' },
}
const typesOf = (kind: string | null) =>
  Object.keys(stripeEvents).filter((type) => kind === null || stripeEvents[type]?.kind === kind)

const stripe = define<SourceRow & { type: string; last_error: string | null; processed_at: string | null }>({
  kinds: ['payments', 'access'],
  id: textPattern,
  query: ({ member }, before, kind) =>
    member.customerId
      ? {
          select: sql`select ${micros(sql`s.created`)} as micros, s.id, s.type, s.last_error, s.processed_at from stripe_event s`,
          where: sql`s.customer_id = ${member.customerId} and s.type = any(${sql.param(typesOf(kind))}::text[])
            and ${before(sql`s.created`, sql`s.id`, asText)}`,
          order: sql`s.created desc nulls last, s.id desc nulls last`,
        }
      : null,
  toEntry: ({ type, processed_at }) => {
    const known = stripeEvents[type]
    if (!known) return null
    return { ...known, details: processed_at ? [] : ['We haven’t processed this event from Stripe yet.'] }
  },
})

type PlanChange = SourceRow & { plan: string; kind: string; yearly_cents: number; currency: string; customers: number }

const planChangeTitles: Readonly<Record<string, string>> = {
  new: 'First payment: plan started',
  returned: 'Returned and pays again',
  expansion: 'Changed to a larger plan',
  contraction: 'Changed to a smaller plan',
  lost: 'Plan ended',
}

/** From the revenue records: when a plan started, changed and ended. */
const planChanges = define<PlanChange>({
  kinds: ['access'],
  id: textPattern,
  query: ({ member }, before) =>
    member.customerId
      ? {
          select: sql`select ${micros(sql`c.at`)} as micros, c.plan as id, c.plan, c.kind,
            c.yearly_cents::float8 as yearly_cents, c.currency, c.customers from revenue_change c`,
          where: sql`c.customer_id = ${member.customerId} and ${before(sql`c.at`, sql`c.plan`, asText)}`,
          order: sql`c.at desc, c.plan desc`,
        }
      : null,
  toEntry: ({ plan, kind, yearly_cents, currency }, { publication, seesMoney }) => ({
    kind: 'access',
    title: planChangeTitles[kind] ?? 'Plan changed',
    details: [
      planOf(publication, plan).name,
      ...(seesMoney ? [`${yearly_cents < 0 ? '−' : '+'}${formatMoney(Math.abs(yearly_cents), currency)} a year`] : []),
    ],
  }),
})

type Moment = SourceRow & { what: string; until: string | null }

/** Past moments that the current rows imply: overdue since, complimentary access that ran out. */
const accessMoments = define<Moment>({
  kinds: ['access'],
  id: textPattern,
  query: ({ member, now }, before) => ({
    select: sql`select ${micros(sql`a.at`)} as micros, a.what as id, a.what, a.until from (
        select 'overdue' as what, s.unpaid_since as at, s.entitled_until as until from subscription_state s
          where s.user_id = ${member.userId}::uuid and s.unpaid_since is not null
        union all
        select 'complimentary-ended', c.until, null from complimentary_access c
          where c.user_id = ${member.userId}::uuid and c.until <= ${now.toISOString()}::timestamptz
        union all
        select 'seat', t.joined_at, null from team_seat t where t.user_id = ${member.userId}::uuid
      ) a`,
    where: before(sql`a.at`, sql`a.what`, asText),
    order: sql`a.at desc, a.what desc`,
  }),
  toEntry: ({ what, until }) => {
    if (what === 'overdue') {
      const details = until ? [`The grace period lasts until ${formatDay(until)}.`] : []
      return { kind: 'access', title: 'Payment overdue', details, isProblem: true }
    }
    if (what === 'seat') return { kind: 'access', title: 'Got a seat in a team' }
    return { kind: 'access', title: 'Complimentary access ended' }
  },
})

/** The order decides between events of the same microsecond. A cursor names a source by its place here. */
export const timelineSources: readonly TimelineSource[] = [
  ...staffSources,
  notes,
  accessMoments,
  planChanges,
  stripe,
  invoices,
  suppression,
  newsletter,
  accountEmail,
  answers,
  signUp,
]
