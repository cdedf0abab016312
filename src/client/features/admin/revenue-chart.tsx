import type { Revenue, RevenueReport } from '#shared/contracts/admin-billing.ts'
import { formatMonth, moneyIn } from './revenue-words.ts'

/** Units of the drawing; it is stretched to the width of the page, so nothing in it may be round. */
const column = 40
const bar = 24
const high = 130
const middle = 172
const swing = 24

const gained = ({ new: fresh, returned, expansion_cents }: Revenue) => fresh.cents + returned.cents + expansion_cents
const dropped = ({ lost, contraction_cents }: Revenue) => lost.cents + contraction_cents
const atLeastOne = (numbers: readonly number[]) => Math.max(1, ...numbers)

/** Recurring revenue as columns, and under them what was gained and what was lost. The table says the same in figures. */
export function RevenueChart({
  report: { months, currency },
  month: chosen,
}: {
  report: RevenueReport
  month: string
}) {
  const money = moneyIn(currency)
  const most = atLeastOne(months.map(({ total }) => total.mrr_cents))
  const widest = atLeastOne(months.flatMap(({ total }) => [gained(total), dropped(total)]))
  const [first, last] = [months[0], months.at(-1)]
  if (!first || !last) return null
  const label = `Monthly recurring revenue from ${formatMonth(first.month)}, ${money(first.total.mrr_cents)}, to ${formatMonth(last.month)}, ${money(last.total.mrr_cents)}. All figures stand under “Month by month”.`
  return (
    <figure className="mt-8 h-72">
      <figcaption className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
        <Key className="bg-primary">Recurring revenue, gained</Key>
        <Key className="bg-accent">Lost</Key>
        <span className="ml-auto tabular-nums">highest {money(most === 1 ? 0 : most)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${months.length * column} 200`}
        preserveAspectRatio="none"
        className="mt-3 h-48 w-full"
      >
        {months.map(({ month, total }, index) => {
          const x = index * column
          const up = (high * Math.max(0, total.mrr_cents)) / most
          const more = (swing * gained(total)) / widest
          const less = (swing * dropped(total)) / widest
          const within = { x: x + (column - bar) / 2, width: bar }
          return (
            <g key={month}>
              {month === chosen && <rect x={x} y={0} width={column} height={200} className="fill-sunken" />}
              <rect {...within} y={high - up} height={up} className="fill-primary" />
              <rect {...within} y={middle - more} height={more} className="fill-primary" />
              <rect {...within} y={middle} height={less} className="fill-accent" />
            </g>
          )
        })}
        {[high, middle].map((y) => (
          <line
            key={y}
            x1={0}
            x2={months.length * column}
            y1={y}
            y2={y}
            vectorEffect="non-scaling-stroke"
            className="stroke-line-strong"
          />
        ))}
      </svg>
      <ol aria-hidden className="grid grid-cols-12 text-center text-xs text-muted">
        {months.map(({ month }) => (
          <li key={month} className={month === chosen ? 'font-semibold text-ink' : 'max-sm:nth-[2n+1]:invisible'}>
            {formatMonth(month).slice(0, 3)}
          </li>
        ))}
      </ol>
    </figure>
  )
}

const Key = ({ className, children }: { className: string; children: string }) => (
  <span className="inline-flex items-center gap-2">
    <span aria-hidden className={`size-3 rounded-sm ${className}`} />
    {children}
  </span>
)
