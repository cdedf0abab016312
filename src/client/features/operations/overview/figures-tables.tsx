import { useId } from 'react'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { formatMoney } from '#shared/domain/format-money.ts'

type FiguresProps = Pick<AdminOverview, 'growth' | 'listHealth' | 'money'>
type Row = { name: string; values: string[] }

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** The values of the charts, newest first. */
export function FiguresTables({ growth, listHealth, money }: FiguresProps) {
  const weeks = (growth?.weeks ?? listHealth?.weeks ?? []).map(({ from }) => from)
  const weekRows = weeks.map((from, index): Row => {
    const health = listHealth?.weeks[index]
    return {
      name: formatDay(from),
      values: [
        ...(growth ? [growth.weeks[index]?.signUps ?? 0] : []),
        ...(health ? [health.sent, health.unsubscribes, health.bounces, health.complaints] : []),
      ].map((value) => formatNumber(value)),
    }
  })
  if (weekRows.length === 0 && !money) return null
  return (
    <Disclosure summary="Week by week" className="mt-4 text-sm">
      <div className="grid gap-x-12 xl:grid-cols-2">
        {weekRows.length > 0 && (
          <FiguresTable
            title="Last 12 weeks"
            columns={[
              'Week from',
              ...(growth ? ['New members'] : []),
              ...(listHealth ? ['Emails sent', 'Unsubscribes', 'Bounces', 'Spam complaints'] : []),
            ]}
            rows={weekRows.toReversed()}
          />
        )}
        {money?.map(({ currency, months }) => (
          <FiguresTable
            key={currency}
            title={money.length > 1 ? `Last 12 months in ${currency.toUpperCase()}` : 'Last 12 months'}
            columns={['Month', 'Recurring revenue', 'Customers', 'New', 'Lost', 'Paid']}
            rows={months.toReversed().map(({ month, mrrCents, customers, newCustomers, lostCustomers, paidCents }) => ({
              name: monthFormat.format(new Date(`${month}-01T00:00:00Z`)),
              values: [
                formatMoney(mrrCents, currency),
                ...[customers, newCustomers, lostCustomers].map((value) => formatNumber(value)),
                formatMoney(paidCents, currency),
              ],
            }))}
          />
        ))}
      </div>
    </Disclosure>
  )
}

function FiguresTable({ title, columns, rows }: { title: string; columns: readonly string[]; rows: readonly Row[] }) {
  const id = useId()
  return (
    <ScrollBox labelledBy={id} className="scroll-edge mt-2 mb-4 overflow-x-auto">
      <table className="w-full text-right text-sm tabular-nums">
        <caption id={id} className="pb-1 text-left font-semibold">
          {title}
        </caption>
        <thead>
          <tr className="border-b border-line-strong text-muted">
            {columns.map((name, index) => (
              <th
                key={name}
                scope="col"
                className={index === 0 ? 'pr-4 pb-1 text-left font-medium' : 'pb-1 pl-4 align-bottom font-medium'}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row" className="py-1.5 pr-4 text-left font-medium whitespace-nowrap">
                {name}
              </th>
              {values.map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                <td key={index} className="py-1.5 pl-4">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
