import type { ReactNode } from 'react'
import type { AdminOverview } from '#shared/contracts/admin-overview.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import { OverviewSection } from './overview-section.tsx'
import { PageLink } from './page-link.tsx'

type FiguresProps = Pick<AdminOverview, 'growth' | 'listHealth' | 'money'>

const whole = new Intl.NumberFormat('en-US')

/** Growth, list health and money against the month before, with twelve weeks or months as columns. */
export function FiguresList({ growth, listHealth, money }: FiguresProps) {
  const health = [
    { name: 'Unsubscribes', key: 'unsubscribes', to: '/admin/newsletter' },
    { name: 'Bounces', key: 'bounces', to: '/admin/newsletter/deliverability?reason=bounced&days=30' },
    { name: 'Spam complaints', key: 'complaints', to: '/admin/newsletter/deliverability?reason=complaint&days=30' },
  ] as const
  return (
    <OverviewSection title="Against last month">
      <dl>
        {growth && (
          <Figure
            name="New members"
            to="/admin/members"
            value={whole.format(growth.last30Days)}
            change={difference(growth.last30Days, growth.previous30Days)}
            chart={growth.weeks.map(({ signUps }) => signUps)}
          />
        )}
        {money && <MoneyFigure money={money} />}
        {listHealth &&
          health.map(({ name, key, to }) => (
            <Figure
              key={key}
              name={name}
              to={to}
              value={whole.format(listHealth.last30Days[key])}
              change={difference(listHealth.last30Days[key], listHealth.previous30Days[key])}
              chart={listHealth.weeks.map((week) => week[key])}
            />
          ))}
      </dl>
    </OverviewSection>
  )
}

function MoneyFigure({ money: { currency, months } }: { money: NonNullable<AdminOverview['money']> }) {
  const [before, newest] = [months.at(-2), months.at(-1)]
  if (!before || !newest) return null
  const change = newest.mrrCents - before.mrrCents
  return (
    <Figure
      name="Recurring revenue"
      to="/admin/money"
      value={formatMoney(newest.mrrCents, currency)}
      change={
        change === 0
          ? 'the same as last month'
          : `${formatMoney(Math.abs(change), currency)} ${change > 0 ? 'more' : 'less'} than last month`
      }
      chart={months.map(({ mrrCents }) => mrrCents)}
    />
  )
}

/** The last 30 days and the 30 before. */
const difference = (last: number, before: number) =>
  last === before
    ? 'in 30 days, as in the 30 before'
    : `in 30 days, ${whole.format(Math.abs(last - before))} ${last > before ? 'more' : 'fewer'} than in the 30 before`

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
