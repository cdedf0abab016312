import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Printer } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { readerValueQuery, useSaveWage } from '#client/features/reader/tries/tries.api.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { LoadError, LoadingPlaceholder, Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { maxWageCents, type ReaderValue } from '#shared/contracts/reader/tries.ts'
import { decimalsOf, formatDay, formatDuration, formatMoney } from '#shared/domain/format.ts'
import { mainCurrency } from '#shared/domain/plans.ts'
import { hasTab } from '#shared/domain/tabs.ts'
import { tryOutcomeLabels } from '#shared/domain/try-outcomes.ts'
import { weeklyMinutesAtFirst, worthCents } from '#shared/domain/value-of-tries.ts'

export function Component() {
  const [search] = useSearchParams()
  const asked = search.get('year') ?? ''
  const year = /^2\d{3}$/.test(asked) ? Number(asked) : new Date().getFullYear()
  const value = useQuery(readerValueQuery(year))
  return (
    <>
      <PageHeading
        title={`Your ${year}`}
        lede="What you tried, the time it saved, and what you paid."
        aside={value.data && <Years {...value.data} />}
      />
      {value.isLoadingError && <LoadError what="your year" query={value} />}
      {value.isPending && (
        <LoadingPlaceholder>
          <Skeleton className="mt-6 h-60 sm:h-44" />
          <SkeletonText lines={5} height="h-12" className="pt-8" />
        </LoadingPlaceholder>
      )}
      {value.data && <ValueStatement value={value.data} />}
    </>
  )
}

function Years({ year, firstYear, thisYear }: { year: number; firstYear: number; thisYear: number }) {
  const style = 'text-link inline-flex min-h-11 items-center gap-1 tabular-nums'
  return (
    <nav aria-label="Years" className="flex gap-6 print:hidden">
      {year > firstYear && (
        <Link to={`?year=${year - 1}`} className={style}>
          <ChevronLeft aria-hidden className="size-5" strokeWidth={1.75} />
          {year - 1}
        </Link>
      )}
      {year < thisYear && (
        <Link to={`?year=${year + 1}`} className={style}>
          {year + 1}
          <ChevronRight aria-hidden className="size-5" strokeWidth={1.75} />
        </Link>
      )}
    </nav>
  )
}

/** Fits on one printed page with the figures. */
const maxRows = 12

/** Shows what a year's tries saved, what that is worth, and what was paid. Every figure names its source. Fits one page. */
function ValueStatement({ value }: { value: ReaderValue }) {
  const { items, minutes, wage, year, until } = value
  const weekly = weeklyMinutesAtFirst(items)
  const worked = items.filter(({ outcome }) => outcome !== 'did-not-work').length
  return (
    <>
      <dl className="grid border-b border-line sm:grid-cols-3 sm:divide-x sm:divide-line print:grid-cols-3 print:divide-x print:divide-line">
        <Figure
          name="Time saved"
          figure={weekly ? `${formatDuration(weekly)} a week` : formatDuration(minutes)}
          source={
            items.length === 0
              ? `Nothing recorded in ${year} yet.`
              : `You entered: ${items.length} tried, ${worked} worked. ${weekly ? 'The total starts tomorrow.' : `Minutes per week times the weeks since then${until < `${year + 1}` ? ', through yesterday' : `, through ${formatDay(dayBefore(until))}`}.`}`
          }
        />
        <Figure
          name="What that time is worth"
          figure={
            wage
              ? `${formatMoney(worthCents(weekly ?? minutes, wage.cents), wage.currency)}${weekly ? ' a week' : ''}`
              : '–'
          }
          source={
            wage
              ? `Time saved at ${formatMoney(wage.cents, wage.currency)} an hour. You entered the wage.`
              : 'Enter an hourly wage to see it.'
          }
        >
          <WageForm cents={wage?.cents ?? null} />
        </Figure>
        <Paid value={value} />
      </dl>
      <Comparison value={value} />
      {items.length === 0 ? <NothingTried value={value} /> : <TriedList items={items} />}
      <div className="mt-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <p className="measure text-sm text-muted">
          An answer counts from the day you gave it, and a change from the day you made it. “Didn’t work” adds nothing.
          Times and amounts are rounded down. These are your own estimates, not a measurement.
        </p>
        <Link to="/portal/receipt" className="text-link inline-flex min-h-11 items-center print:hidden">
          By store and month
        </Link>
        {items.length > 0 && (
          <Button variant="secondary" className="print:hidden" onClick={() => window.print()}>
            <Printer aria-hidden className="size-5" strokeWidth={1.75} />
            Print
          </Button>
        )}
      </div>
    </>
  )
}

/** Compares the value with what was paid, to scale. The figures above say the same in numbers. */
function Comparison({ value: { minutes, wage, paid } }: { value: ReaderValue }) {
  const [only] = paid
  const worth = wage ? worthCents(minutes, wage.cents) : 0
  if (!only || paid.length > 1 || worth === 0 || only.cents <= 0) return null
  const unit = 100 / Math.max(worth, only.cents)
  const bars = [
    ['Worth', worth, 'fill-primary'],
    ['Paid', only.cents, 'fill-accent'],
  ] as const
  return (
    <div aria-hidden className="grid gap-2 border-b border-line py-5 print:py-2">
      {bars.map(([name, cents, fill]) => (
        <p key={name} className="grid grid-cols-[3.5rem_minmax(0,1fr)] items-center text-sm text-muted">
          {name}
          <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className="block h-3 w-full">
            <rect width={Math.max(0.4, cents * unit)} height={1} className={fill} />
          </svg>
        </p>
      ))}
    </div>
  )
}

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000)

type FigureProps = { name: string; figure: string; source: string; children?: ReactNode }

function Figure({ name, figure, source, children }: FigureProps) {
  return (
    <div className="border-t border-line py-6 first:border-t-0 sm:border-t-0 sm:px-6 sm:first:pl-0 sm:last:pr-0 print:border-t-0 print:px-4 print:py-3">
      <dt className="text-sm font-semibold">{name}</dt>
      <dd className="mt-1">
        <span className="display block text-3xl tabular-nums lg:text-4xl print:text-2xl">{figure}</span>
        <span className="mt-1.5 block text-sm text-muted tabular-nums">{source}</span>
        {children}
      </dd>
    </div>
  )
}

function Paid({ value: { paid, paidBy, year } }: { value: ReaderValue }) {
  const [only] = paid
  const count = paid.reduce((sum, { invoices }) => sum + invoices, 0)
  const fromInvoices = `From your ${count === 1 ? 'invoice' : `${count} invoices`} paid in ${year}, less refunds.`
  const notes = {
    reader: `No paid invoices in ${year}.`,
    'team-owner':
      'The owner of your team pays for your access, and sees the minutes of each store as a sum, not what you tried.',
    'no-one': 'You have complimentary access.',
  }
  const source = only ? `${fromInvoices}${paidBy === 'reader' ? '' : ` ${notes[paidBy]}`}` : notes[paidBy]
  const figure = only
    ? paid.map(({ cents, currency }) => formatMoney(cents, currency)).join(' + ')
    : formatMoney(0, 'usd')
  return <Figure name="What you paid" figure={paidBy === 'team-owner' && !only ? '–' : figure} source={source} />
}

function WageForm({ cents }: { cents: number | null }) {
  const saveWage = useSaveWage()
  const [error, setError] = useState<Error | null>(null)
  const currency = mainCurrency(publication)
  const decimals = decimalsOf(currency)
  const unit = 10 ** decimals
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const written = String(new FormData(event.currentTarget).get('wage'))
    const wanted = written.trim() === '' ? null : Math.round(Number(written) * unit)
    setError(null)
    saveWage(wanted).catch((failure: Error) => setError(failure))
  }
  return (
    <form onSubmit={handleSubmit} className="mt-3 print:hidden">
      <label className="grid gap-1.5 text-sm font-semibold">
        Hourly wage in {currency === 'usd' ? 'dollars' : currency.toUpperCase()}
        <span className="flex flex-wrap gap-2">
          <input
            key={cents}
            name="wage"
            type="number"
            inputMode="decimal"
            min={0}
            max={maxWageCents / unit}
            step={1 / unit}
            defaultValue={cents === null ? '' : (cents / unit).toFixed(decimals)}
            className={`${inputStyles} w-28! tabular-nums`}
          />
          <Button type="submit" variant="secondary">
            Save
          </Button>
        </span>
      </label>
      <InlineError className="mt-2">{formErrorMessage(error)}</InlineError>
    </form>
  )
}

function TriedList({ items }: Pick<ReaderValue, 'items'>) {
  const [showsAll, setShowsAll] = useState(false)
  const rest = items.slice(maxRows)
  const restMinutes = rest.reduce((sum, { minutes }) => sum + minutes, 0)
  return (
    <section aria-labelledby="tried-items" className="pt-8 print:pt-4">
      <h2 id="tried-items" className="display text-2xl print:text-lg">
        What you tried
      </h2>
      <ul className="mt-3 border-b border-line">
        {items.map((item, index) => (
          <li
            key={`${item.kind} ${item.id}`}
            className={`grid gap-x-6 border-t border-line py-2.5 sm:grid-cols-[minmax(0,1fr)_auto] print:grid-cols-[minmax(0,1fr)_auto] print:py-1 print:text-sm ${index >= maxRows ? (showsAll ? 'print:hidden' : 'hidden') : ''}`}
          >
            <p className="min-w-0 wrap-anywhere">
              <Link
                to={`/portal/tried?${new URLSearchParams({ kind: item.kind, id: item.id })}`}
                className="inline-flex min-h-11 items-center font-semibold hover:text-primary hover:underline sm:min-h-0 print:inline"
              >
                {item.title}
              </Link>
              <span className="block text-sm text-muted tabular-nums print:ml-2 print:inline">
                {tryOutcomeLabels[item.outcome]}
                {item.minutesPerWeek !== null &&
                  item.outcome !== 'did-not-work' &&
                  `, ${item.minutesPerWeek} min a week`}{' '}
                since {formatDay(item.since)}
              </span>
            </p>
            <p className="tabular-nums sm:text-right">{formatDuration(item.minutes)}</p>
          </li>
        ))}
        {rest.length > 0 && (
          <li
            className={`flex flex-wrap items-center justify-between gap-x-6 border-t border-line py-2.5 tabular-nums print:flex print:py-1 print:text-sm ${showsAll ? 'hidden' : ''}`}
          >
            <span>
              {rest.length} more{' '}
              <Button variant="quiet" size="sm" className="print:hidden" onClick={() => setShowsAll(true)}>
                Show all
              </Button>
            </span>
            <span>{formatDuration(restMinutes)}</span>
          </li>
        )}
      </ul>
    </section>
  )
}

const NothingTried = ({ value: { year, thisYear } }: { value: ReaderValue }) => (
  <div className="border-b border-line py-10">
    <h2 className="display text-xl">
      Nothing tried in {year}
      {year === thisYear ? ' yet' : ''}
    </h2>
    <p className="mt-2 measure text-muted">
      When you’ve used something from here, tap “Tried it” below it and say how it went. Your answers and minutes add up
      here.
    </p>
    <p className="mt-4 flex flex-wrap gap-x-6 print:hidden">
      {hasTab(publication, 'prompt-packs') && (
        <Link to="/portal/prompt-packs" className="text-link inline-flex min-h-11 items-center">
          Find a prompt
        </Link>
      )}
      <Link
        to="/portal/weekly-drops"
        className="text-link inline-flex min-h-11 items-center"
      >{ownWords`Open the weekly drops`}</Link>
    </p>
  </div>
)
