import type { ReactNode } from 'react'
import { PageLink } from '#client/ui/page-link.tsx'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import { emailFeedback } from '#shared/contracts/publishing/deliverability.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { OverviewSection } from './overview-section.tsx'

type FiguresProps = Pick<AdminOverview, 'growth' | 'listHealth' | 'money'>

/** Growth, list health and money compared with the 30 days or the month before, with twelve weeks or months as columns. */
export function FiguresList({ growth, listHealth, money }: FiguresProps) {
  const health = [
    { key: 'unsubscribes', feedback: 'unsubscribed', period: 'Last 30 days' },
    { key: 'bounces', feedback: 'bounced', period: 'Mailings of the last 30 days' },
    { key: 'complaints', feedback: 'complaint', period: 'Mailings of the last 30 days' },
  ] as const
  return (
    <OverviewSection title="Compared with last month">
      <dl>
        {growth && (
          <Figure
            name="New members"
            to={`/admin/members?joined=${growth.since}..`}
            value={formatNumber(growth.last30Days)}
            change={`Last 30 days, ${difference(growth.last30Days, growth.previous30Days, formatNumber)}`}
            chart={growth.weeks.map(({ signUps }) => signUps)}
          />
        )}
        {money?.map((one) => (
          <MoneyFigure
            key={one.currency}
            money={one}
            name={money.length > 1 ? ` in ${one.currency.toUpperCase()}` : ''}
          />
        ))}
        {listHealth &&
          health.map(({ key, feedback, period }) => (
            <Figure
              key={key}
              name={emailFeedback[feedback]}
              to={`/admin/newsletter/deliverability/feedback?feedback=${feedback}&since=${listHealth.since}`}
              value={formatNumber(listHealth.last30Days[key])}
              change={`${period}, ${difference(listHealth.last30Days[key], listHealth.previous30Days[key], formatNumber)}`}
              chart={listHealth.weeks.map((week) => week[key])}
            />
          ))}
      </dl>
    </OverviewSection>
  )
}

type MoneyFigureProps = { money: NonNullable<AdminOverview['money']>[number]; name: string }

function MoneyFigure({ money: { currency, months }, name }: MoneyFigureProps) {
  const [before, newest] = [months.at(-2), months.at(-1)]
  if (!before || !newest) return null
  return (
    <Figure
      name={`Recurring revenue${name}`}
      to="/admin/money"
      value={formatMoney(newest.mrrCents, currency)}
      change={`This month, ${difference(newest.mrrCents, before.mrrCents, (cents) => formatMoney(cents, currency))}`}
      chart={months.map(({ mrrCents }) => mrrCents)}
    />
  )
}

/** "up 3", "down $120", "no change". */
const difference = (last: number, before: number, format: (value: number) => string) =>
  last === before ? 'no change' : `${last > before ? 'up' : 'down'} ${format(Math.abs(last - before))}`

type FigureProps = { name: string; to: string; value: string; change: ReactNode; chart: readonly number[] }

function Figure({ name, to, value, change, chart }: FigureProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_6.5rem] items-center gap-x-4 border-b border-line py-2.5 @max-[17rem]:grid-cols-1">
      <dt className="text-sm leading-6 font-medium">
        <PageLink to={to}>{name}</PageLink>
      </dt>
      <dd>
        <p className="display text-xl tabular-nums">{value}</p>
        <p className="text-xs text-muted tabular-nums">{change}</p>
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1 @max-[17rem]:hidden">
        <Columns values={chart} />
      </dd>
    </div>
  )
}

const column = 10
const height = 40

/** The newest column stands out. The tables below contain the values. */
function Columns({ values }: { values: readonly number[] }) {
  const most = Math.max(...values, 0)
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${values.length * column} ${height}`}
      preserveAspectRatio="none"
      className="block h-10 w-full"
    >
      {values.map((value, index) => {
        const up = most === 0 ? 0 : (Math.max(0, value) / most) * (height - 2)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={index}
            x={index * column + 1}
            y={height - up}
            width={column - 2}
            height={up}
            className={index === values.length - 1 ? 'fill-primary' : 'fill-line-strong'}
          />
        )
      })}
      <line
        {...{ x1: 0, x2: values.length * column, y1: height, y2: height }}
        vectorEffect="non-scaling-stroke"
        className="stroke-line-strong"
      />
    </svg>
  )
}
