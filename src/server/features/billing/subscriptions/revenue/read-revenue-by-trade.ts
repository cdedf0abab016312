import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import type { RevenueByTrade } from '#shared/contracts/billing/admin-money.ts'
import { optionLabel } from '#shared/domain/preferences.ts'

const keptMs = 10 * 60_000

/**
 * Reads recurring revenue and payments by the trade in customers' answers. Answers change at any time, so there are no
 * totals to keep: one query reads all customers, in the background and at most every ten minutes per node.
 */
export function createRevenueByTrade({ config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>) {
  const reports = new Map<string, { at: number; report: Promise<RevenueByTrade> }>()
  return (currency: string): Promise<RevenueByTrade> => {
    const now = clock()
    const last = reports.get(currency)
    if (last && now.getTime() - last.at < keptMs && now.getTime() >= last.at) return last.report
    const report = read(now, currency)
    reports.set(currency, { at: now.getTime(), report })
    report.catch(() => reports.delete(currency))
    return report
  }

  async function read(now: Date, currency: string): Promise<RevenueByTrade> {
    const trades = await queryRows<{ trade: string | null; customers: number; mrrCents: string; netPaidCents: string }>(
      database.background,
      sql`
        with recurring as (
          select customer_id, sum(yearly_cents) as yearly_cents from revenue_change
          where currency = ${currency} and at <= ${now.toISOString()}::timestamptz group by 1
        ), payments as (
          select customer_id, sum(paid_cents - paid_tax_cents - refunded_cents + refunded_tax_cents) as net_cents from revenue_invoice
          where currency = ${currency} and paid_at <= ${now.toISOString()}::timestamptz group by 1
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
        where recurring.customer_id is not null or payments.customer_id is not null
        group by 1 order by coalesce(sum(recurring.yearly_cents), 0) desc, 1 nulls last`,
    )
    return {
      currency,
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
