import type { ReactNode } from 'react'
import type { Revenue, RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import { formatMonth, moneyIn } from './format-revenue.ts'

/** Drawing units. Drawings are stretched to the width of the page, so they must not contain circles. */
const column = 40
const bar = 24
const height = 100

type Shown = RevenueReport['months'][number]

const gained = ({ new: fresh, returned, expansionCents }: Revenue) => fresh.cents + returned.cents + expansionCents
const dropped = ({ lost, contractionCents }: Revenue) => lost.cents + contractionCents

/** Recurring revenue as columns, with gains and losses below. The table contains the same figures. */
export function RevenueChart({
  report: { months, currency },
  month: chosen,
}: {
  report: RevenueReport
  month: string
}) {
  const money = moneyIn(currency)
  const most = Math.max(0, ...months.map(({ total }) => total.mrrCents))
  const widest = Math.max(0, ...months.flatMap(({ total }) => [gained(total), dropped(total)]))
  const [first, last] = [months[0], months.at(-1)]
  if (!first || !last) return null
  if (months.filter(({ total }) => total.mrrCents + gained(total) + dropped(total) > 0).length < 2) {
    return (
      <p className="mt-8 border-l-3 border-accent pl-4 text-muted">
        One month so far. The chart begins with the second, when there’s something to compare.
      </p>
    )
  }
  const label = `Monthly recurring revenue from ${formatMonth(first.month)}, ${money(first.total.mrrCents)}, to ${formatMonth(last.month)}, ${money(last.total.mrrCents)}. See “Month by month” for all figures.`
  return (
    <figure className="mt-6">
      <Legend end={`up to ${money(most)}`}>
        <Key className="bg-primary">Recurring revenue</Key>
      </Legend>
      <Drawing label={label} className="h-36" months={months} chosen={chosen} floor={height}>
        {({ total }, x) => (
          <Bar x={x} from={height} up={share(total.mrrCents, most) * height} className="fill-primary" />
        )}
      </Drawing>
      <Legend end={`up to ${money(widest)}`}>
        <Key className="bg-primary">Gained</Key>
        <Key className="bg-accent">Lost</Key>
      </Legend>
      <Drawing
        label={`Recurring revenue gained and lost by month, up to ${money(widest)}`}
        className="h-20"
        months={months}
        chosen={chosen}
        floor={height / 2}
      >
        {({ total }, x) => {
          const more = (share(gained(total), widest) * height) / 2
          const less = (share(dropped(total), widest) * height) / 2
          return (
            <>
              <Bar x={x} from={height / 2} up={more} className="fill-primary" />
              <Bar x={x} from={height / 2 + less} up={less} className="fill-accent" />
            </>
          )
        }}
      </Drawing>
      <ol aria-hidden className="mt-1 grid grid-cols-12 text-center text-xs text-muted">
        {months.map(({ month }) => (
          <li key={month} className={month === chosen ? 'font-semibold text-ink' : 'max-sm:nth-[2n+1]:invisible'}>
            {formatMonth(month).slice(0, 3)}
          </li>
        ))}
      </ol>
    </figure>
  )
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.max(0, part) / whole)

type DrawingProps = {
  label: string
  className: string
  months: readonly Shown[]
  chosen: string
  /** Y position of the line below the bars. */
  floor: number
  children: (shown: Shown, x: number) => ReactNode
}

function Drawing({ label, className, months, chosen, floor, children }: DrawingProps) {
  const width = months.length * column
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={`mt-2 w-full ${className}`}
    >
      {months.map((shown, index) => (
        <g key={shown.month}>
          {shown.month === chosen && (
            <rect x={index * column} y={0} width={column} height={height} className="fill-sunken" />
          )}
          {children(shown, index * column + (column - bar) / 2)}
        </g>
      ))}
      <line
        {...{ x1: 0, x2: width, y1: floor, y2: floor }}
        vectorEffect="non-scaling-stroke"
        className="stroke-line-strong"
      />
    </svg>
  )
}

const Bar = ({ x, from, up, className }: { x: number; from: number; up: number; className: string }) => (
  <rect x={x} y={from - up} width={bar} height={up} className={className} />
)

const Legend = ({ end, children }: { end: string; children: ReactNode }) => (
  <p aria-hidden className="mt-4 flex flex-wrap items-center gap-x-5 text-sm text-muted">
    {children}
    <span className="ml-auto tabular-nums">{end}</span>
  </p>
)

const Key = ({ className, children }: { className: string; children: string }) => (
  <span className="inline-flex items-center gap-2">
    <span className={`size-3 rounded-sm ${className}`} />
    {children}
  </span>
)
