import { useQuery } from '@tanstack/react-query'
import { callQuery } from '#client/lib/calls.ts'
import { FigureTable } from '#client/ui/figure-table.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminRevenueByTradeCall } from '#shared/contracts/billing/admin-money.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { moneyIn } from './format-revenue.ts'

/** Recurring revenue by the kind of franchise in customers' answers. */
export function RevenueByTradeSection({ currency }: { currency: string | null }) {
  const report = useQuery(callQuery(['admin-revenue-by-trade', currency], adminRevenueByTradeCall, { currency }))
  return (
    <Section
      title="Revenue by kind of business"
      lede="From customers’ own answers. Payments count for the answer that a customer gives now."
      status={
        report.data && (
          <>
            As of <Timestamp at={report.data.at} inline />
          </>
        )
      }
    >
      {report.data ? (
        report.data.trades.length === 0 ? (
          <p className="text-muted">No paying customers yet.</p>
        ) : (
          <TradeTable {...report.data} />
        )
      ) : (
        <QueryPlaceholder query={report} what="revenue by kind of business" lines={5} height="h-11" />
      )}
    </Section>
  )
}

type TradeTableProps = {
  currency: string
  trades: readonly { trade: string | null; customers: number; mrrCents: number; netPaidCents: number }[]
}

function TradeTable({ currency, trades }: TradeTableProps) {
  const money = moneyIn(currency)
  const most = Math.max(1, ...trades.map(({ mrrCents }) => mrrCents))
  return (
    <FigureTable
      caption="Revenue by kind of business"
      hidesCaption
      className="max-w-3xl"
      head="Business"
      columns={['Customers', 'MRR', 'Paid so far']}
      rows={trades.map(({ trade, customers, mrrCents, netPaidCents }) => ({
        id: trade ?? '',
        name: (
          <>
            {trade ?? <span className="text-muted">No answer</span>}
            <span aria-hidden className="mt-1 block h-1.5 min-w-36 rounded-sm bg-sunken">
              <span
                className="block h-full rounded-sm bg-primary"
                style={{ width: `${(Math.max(0, mrrCents) / most) * 100}%` }}
              />
            </span>
          </>
        ),
        figures: [formatNumber(customers), money(mrrCents), money(netPaidCents)],
      }))}
    />
  )
}
