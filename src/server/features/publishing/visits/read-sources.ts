import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { queryRows } from '#server/db/query-rows.ts'
import type { Deps } from '#server/deps.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import type { adminSourcesCall } from '#shared/contracts/publishing/sources.ts'

const maxSources = 100
const maxPages = 20
/** Reports count invoices in this currency. */
const currency = 'usd'

type Sources = z.input<typeof adminSourcesCall.output>

/** Visits of the last days by source, and what became of the members who signed up in them. */
export async function readSources(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  days: number,
): Promise<Sources> {
  const now = clock()
  const since = new Date(now.getTime() - days * 24 * 60 * 60 * 1000)
  const from = sql`${since.toISOString()}::timestamptz`
  const access = accessSql(config, sql`u`, now)
  const db = database.background
  const [sources, pages, bots] = await Promise.all([
    queryRows<Record<'source' | 'visits' | 'free' | 'paid' | 'netPaidCents', string>>(
      db,
      sql`with visits as (
          select source, sum(visits) as visits from page_visits where day >= ${from}::date and not is_bot group by 1
        ), members as (
          select s.first_source as source, u.id,
            p.free_since is not null and u.email_confirmed_at is not null as is_free,
            ${access.entitled} as has_access, (own.product_id is not null) as pays
          from member_sources s join auth.users u on u.id = s.user_id and u.deleted_at is null
          left join email_preferences p on p.user_id = u.id ${access.joins}
          where s.first_at >= ${from}
        ), payments as (
          select owner.user_id, sum(i.paid_cents - i.refunded_cents) as cents
          from revenue_invoice i join billing_customer owner on owner.stripe_customer_id = i.customer_id
          where i.currency = ${currency} group by 1
        ), joined as (
          select members.source, count(*) filter (where is_free and not has_access) as free,
            count(*) filter (where has_access and pays) as paid, coalesce(sum(payments.cents), 0) as cents
          from members left join payments on payments.user_id = members.id group by 1
        )
        select coalesce(visits.source, joined.source) as source, coalesce(visits.visits, 0)::text as visits,
          coalesce(joined.free, 0)::text as free, coalesce(joined.paid, 0)::text as paid,
          coalesce(joined.cents, 0)::bigint::text as "netPaidCents"
        from visits full join joined on joined.source = visits.source
        order by coalesce(visits.visits, 0) desc, 1 limit ${maxSources}`,
    ),
    queryRows<{ path: string; visits: string; views: string }>(
      db,
      sql`select path, sum(visits)::text as visits, sum(views)::text as views from page_visits
        where day >= ${from}::date and not is_bot group by 1 order by sum(views) desc, 1 limit ${maxPages}`,
    ),
    queryRows<{ views: string }>(
      db,
      sql`select coalesce(sum(views), 0)::text as views from page_visits where day >= ${from}::date and is_bot`,
    ),
  ])
  return {
    currency,
    sources: sources.map(({ source, ...counts }) => ({
      source,
      visits: Number(counts.visits),
      free: Number(counts.free),
      paid: Number(counts.paid),
      netPaidCents: Number(counts.netPaidCents),
    })),
    pages: pages.map(({ path, visits, views }) => ({ path, visits: Number(visits), views: Number(views) })),
    botViews: Number(bots[0]?.views ?? 0),
  }
}
