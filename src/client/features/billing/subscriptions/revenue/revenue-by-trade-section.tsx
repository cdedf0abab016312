import { useQuery } from '@tanstack/react-query'
import { callQuery } from '#client/lib/call-query.ts'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Section } from '#client/ui/section.tsx'
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
    <ScrollBox label="Revenue by kind of business" className="max-w-3xl overflow-x-auto scroll-edge">
      <table className="w-full text-right text-sm tabular-nums">
        <thead>
          <tr className="border-b border-line-strong text-muted">
            <th scope="col" className="py-2.5 pr-4 text-left font-medium">
              Business
            </th>
            <th scope="col" className="py-2.5 pl-4 font-medium">
              Customers
            </th>
            <th scope="col" className="py-2.5 pl-4 font-medium">
              MRR
            </th>
            <th scope="col" className="py-2.5 pl-4 font-medium">
              Paid so far
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {trades.map(({ trade, customers, mrrCents, netPaidCents }) => (
            <tr key={trade ?? ''}>
              <th scope="row" className="w-1/2 py-2.5 pr-4 text-left font-medium">
                {trade ?? <span className="text-muted">No answer</span>}
                <span aria-hidden className="mt-1 block h-1.5 rounded-sm bg-sunken">
                  <span
                    className="block h-full rounded-sm bg-primary"
                    style={{ width: `${(Math.max(0, mrrCents) / most) * 100}%` }}
                  />
                </span>
              </th>
              <td className="py-2.5 pl-4 align-top">{formatNumber(customers)}</td>
              <td className="py-2.5 pl-4 align-top">{money(mrrCents)}</td>
              <td className="py-2.5 pl-4 align-top">{money(netPaidCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
