import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/query-rows.ts'
import type { Deps } from '#server/deps.ts'
import type { RevenueByTrade } from '#shared/contracts/billing/admin-money.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import { revenueCurrency } from './monthly-totals.ts'

const keptMs = 10 * 60_000

/**
 * Reads recurring revenue and payments by the trade in customers' answers. Answers change at any time, so there are no
 * totals to keep: one query reads all customers, in the background and at most every ten minutes per node.
 */
export function createRevenueByTrade({ config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>) {
  let last: { at: number; report: Promise<RevenueByTrade> } | null = null
  return (): Promise<RevenueByTrade> => {
    const now = clock()
    if (!last || now.getTime() - last.at >= keptMs || now.getTime() < last.at) {
      const report = read(now)
      last = { at: now.getTime(), report }
      report.catch(() => {
        last = null
      })
    }
    return last.report
  }

  async function read(now: Date): Promise<RevenueByTrade> {
    const trades = await queryRows<{ trade: string | null; customers: number; mrrCents: string; netPaidCents: string }>(
      database.background,
      sql`
        with recurring as (
          select customer_id, sum(yearly_cents) as yearly_cents from revenue_change
          where at <= ${now.toISOString()}::timestamptz group by 1
        ), payments as (
          select customer_id, sum(paid_cents - refunded_cents) as net_cents from revenue_invoice
          where currency = ${revenueCurrency} and paid_at <= ${now.toISOString()}::timestamptz group by 1
        )
        select answers.franchise_type as trade,
          count(*) filter (where recurring.yearly_cents > 0)::int as customers,
          round(coalesce(sum(recurring.yearly_cents), 0) / 12.0)::bigint::text as "mrrCents",
          coalesce(sum(payments.net_cents), 0)::bigint::text as "netPaidCents"
        from revenue_customer customer
        left join recurring on recurring.customer_id = customer.customer_id
        left join payments on payments.customer_id = customer.customer_id
        left join billing_customer owner on owner.stripe_customer_id = customer.customer_id
        left join user_preferences answers on answers.user_id = owner.user_id
        group by 1 order by coalesce(sum(recurring.yearly_cents), 0) desc, 1 nulls last`,
    )
    return {
      currency: revenueCurrency,
      at: now.toISOString(),
      trades: trades.map(({ trade, customers, mrrCents, netPaidCents }) => ({
        trade: trade && optionLabel(config.settings.publication, 'franchiseType', trade),
        customers,
        mrrCents: Number(mrrCents),
        netPaidCents: Number(netPaidCents),
      })),
    }
  }
}
