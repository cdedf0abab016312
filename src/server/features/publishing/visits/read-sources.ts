import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import type { adminSourcesCall } from '#shared/contracts/publishing/sources.ts'

const maxSources = 100
const maxPages = 20
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
    queryRows<
      Record<'source' | 'visits' | 'free' | 'paid', string> & { netPaid: Sources['sources'][number]['netPaid'] | null }
    >(
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
          select members.source, i.currency,
            sum(i.paid_cents - i.paid_tax_cents - i.refunded_cents + i.refunded_tax_cents) as cents
          from members join billing_customer owner on owner.user_id = members.id
          join revenue_invoice i on owner.stripe_customer_id = i.customer_id and i.paid_at is not null group by 1, 2
        ), joined as (
          select source, count(*) filter (where is_free and not has_access) as free,
            count(*) filter (where has_access and pays) as paid
          from members group by 1
        )
        select coalesce(visits.source, joined.source) as source, coalesce(visits.visits, 0)::text as visits,
          coalesce(joined.free, 0)::text as free, coalesce(joined.paid, 0)::text as paid,
          (select jsonb_agg(jsonb_build_object('currency', p.currency, 'cents', p.cents) order by p.currency)
            from payments p where p.source = joined.source and p.cents <> 0) as "netPaid"
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
    sources: sources.map(({ source, ...counts }) => ({
      source,
      visits: Number(counts.visits),
      free: Number(counts.free),
      paid: Number(counts.paid),
      netPaid: counts.netPaid ?? [],
    })),
    pages: pages.map(({ path, visits, views }) => ({ path, visits: Number(visits), views: Number(views) })),
    botViews: Number(bots[0]?.views ?? 0),
  }
}
