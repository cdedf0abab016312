import { clsx } from 'clsx'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { LoadingPlaceholder, Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { AdminOverview, Upcoming } from '#shared/contracts/operations/admin-overview.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { describeTotals, tryOutcomeLabels } from '#shared/domain/try-outcomes.ts'
import { AttentionList } from './attention-list.tsx'
import { FiguresList } from './figures-list.tsx'
import { OverviewSection } from './overview-section.tsx'

const columns =
  'mt-8 grid gap-x-10 gap-y-10 sm:mt-10 md:grid-cols-2 xl:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,4.5fr)]'

type OverviewBoardProps = { overview: AdminOverview | undefined; prepareEmail: PrepareEmail }

/** The parts that the role may see: beside each other on a desktop, so that Monday's questions fit on one screen. */
export function OverviewBoard({ overview, prepareEmail }: OverviewBoardProps) {
  if (!overview) {
    return (
      <>
        <UserTotals totals={undefined} />
        <LoadingPlaceholder>
          <div className={columns}>
            {[1, 2, 3].map((part) => (
              <SkeletonText key={part} lines={7} height="h-10" />
            ))}
          </div>
        </LoadingPlaceholder>
      </>
    )
  }
  const { totals, upcoming, stuckMembers, stuckMailings, readers, growth, listHealth, money, problems } = overview
  return (
    <>
      {totals && <UserTotals totals={totals} />}
      <div className={columns}>
        {upcoming && <UpcomingList upcoming={upcoming} prepareEmail={prepareEmail} />}
        {(stuckMembers || stuckMailings) && (
          <AttentionList stuckMembers={stuckMembers} stuckMailings={stuckMailings} problems={problems} />
        )}
        {(growth || listHealth || money) && (
          <div className="@container md:max-xl:col-span-2">
            <FiguresList growth={growth} listHealth={listHealth} money={money} />
          </div>
        )}
      </div>
      <FiguresTables growth={growth} listHealth={listHealth} money={money} />
      {readers && <ReadersSection readers={readers} />}
    </>
  )
}

/** Keeps the line height while the figure loads. */
const placeholder = '\u00a0'

/** The three figures of the dashboard. */
function UserTotals({ totals }: { totals: NonNullable<AdminOverview['totals']> | undefined }) {
  return (
    <div className="mt-6 grid gap-x-8 sm:mt-8 sm:grid-cols-3">
      <StatCard label="Total Users" value={totals?.users} />
      <StatCard label="New This Week" value={totals?.newThisWeek} note="in the last 7 days" />
      <StatCard
        label="Active Subscriptions"
        value={totals?.activeSubscriptions}
        note={
          totals
            ? `of ${formatCount(totals.users, 'user')}${totals.paused > 0 ? `, ${formatNumber(totals.paused)} paused` : ''}`
            : placeholder
        }
      />
    </div>
  )
}

type StatCardProps = { label: string; value: number | undefined; note?: ReactNode }

/** One figure in a row of figures; on a phone, one per line. Shows a skeleton until the value is known. */
function StatCard({ label, value, note }: StatCardProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 border-b border-line py-2 sm:block sm:border-t-2 sm:border-b-0 sm:border-t-ink sm:pt-3 sm:pb-0">
      <h2 className={clsx('text-sm font-semibold text-muted', !note && 'max-sm:row-span-2')}>{label}</h2>
      <p className="display flex h-12 items-center text-3xl tabular-nums max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1 sm:mt-1 sm:text-4xl">
        {value === undefined ? <Skeleton className="h-9 w-24" /> : formatNumber(value)}
      </p>
      <p className="text-sm text-muted max-sm:empty:hidden sm:mt-1 sm:min-h-6">{note}</p>
    </div>
  )
}

/** Shows what readers tried and said lately. */
function ReadersSection({ readers: { notes, items } }: { readers: NonNullable<AdminOverview['readers']> }) {
  return (
    <OverviewSection
      title="What readers tried and said"
      className="mt-10"
      aside={
        <PageLink
          to="/admin/tried"
          className="inline-flex min-h-11 items-center text-sm font-semibold max-sm:-my-2.5 sm:min-h-0"
        >
          All answers and notes
        </PageLink>
      }
    >
      {notes.length === 0 && items.length === 0 ? (
        <p className="py-4 text-muted">No shared notes yet, and no section or prompt with enough answers.</p>
      ) : (
        <div className="grid gap-x-10 lg:grid-cols-2">
          <ul aria-label="Newest notes" className="empty:hidden">
            {notes.map(({ kind, id, title, outcome, note, sharedAt }) => (
              <li key={`${kind} ${id} ${sharedAt}`} className="border-b border-line py-3">
                <blockquote className="line-clamp-3 max-w-[62ch] [overflow-wrap:anywhere]" data-excerpt>
                  “{note}”
                </blockquote>
                <p className="mt-1 text-sm leading-6 text-muted">
                  {tryOutcomeLabels[outcome]}: {title}, <time dateTime={sharedAt}>{formatDay(sharedAt)}</time>
                </p>
              </li>
            ))}
          </ul>
          <ul aria-label="Newly counted answers" className="empty:hidden">
            {items.map(({ kind, id, title, totals, countedAt }) => (
              <li key={`${kind} ${id}`} className="border-b border-line py-3 leading-6">
                <p className="font-semibold [overflow-wrap:anywhere]">{title}</p>
                <p className="text-sm leading-6 text-muted tabular-nums">
                  {describeTotals(totals)}, <time dateTime={countedAt}>{formatDay(countedAt)}</time>
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
    </OverviewSection>
  )
}

type FiguresProps = Pick<AdminOverview, 'growth' | 'listHealth' | 'money'>
type Row = { name: string; values: string[] }

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** The values of the charts, newest first. */
function FiguresTables({ growth, listHealth, money }: FiguresProps) {
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

/** Creates the mailing of a published drop and opens it. */
type PrepareEmail = { pendingId: string | null; prepare: (issueId: string) => void }

type UpcomingListProps = { upcoming: readonly Upcoming[]; prepareEmail: PrepareEmail }

/** Lists what is published and sent next, and what it still needs. */
function UpcomingList({ upcoming, prepareEmail }: UpcomingListProps) {
  return (
    <OverviewSection
      title="Goes out next"
      aside={
        <PageLink
          to="/admin/content/calendar"
          className="inline-flex min-h-11 items-center text-sm font-semibold max-sm:-my-2.5 sm:min-h-0"
        >
          Calendar
        </PageLink>
      }
    >
      {upcoming.length === 0 ? (
        <p className="py-4 text-muted">
          Nothing is scheduled, and there are no drafts.{' '}
          <PageLink to="/admin/content/drops">{ownWords`Write the next drop`}</PageLink>
        </p>
      ) : (
        <ol aria-label="Goes out next">
          {upcoming.map((item) => (
            <UpcomingRow key={`${item.kind} ${item.id}`} item={item} prepareEmail={prepareEmail} />
          ))}
        </ol>
      )}
    </OverviewSection>
  )
}

function UpcomingRow({ item, prepareEmail }: { item: Upcoming; prepareEmail: PrepareEmail }) {
  const { kind, id, title, at, needs } = item
  const label = labelOf(item)
  const page = kind === 'mailing' ? `/admin/newsletter/${id}` : `/admin/content/drops/${id}`
  return (
    <li className="border-b border-line py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted tabular-nums">
        <Tag tone={label.tone}>{label.text}</Tag>
        {at && (item.state === 'published' ? <time dateTime={at}>{formatDay(at)}</time> : <Timestamp at={at} />)}
      </p>
      <p className="mt-1 leading-6 font-semibold [overflow-wrap:anywhere]">
        <PageLink to={page}>{title}</PageLink>
      </p>
      {item.state === 'published' ? (
        <Button
          variant="secondary"
          size="sm"
          className="mt-2"
          pending={prepareEmail.pendingId === id}
          onClick={() => prepareEmail.prepare(id)}
        >
          Prepare email<span className="sr-only">: {title}</span>
        </Button>
      ) : (
        <Needs item={item} needs={needs} />
      )}
    </li>
  )
}

type Label = { text: string; tone: 'plain' | 'primary' | 'accent' | 'danger' }

function labelOf(item: Upcoming): Label {
  const what = item.kind === 'drop' ? ownWords`Drop` : 'Mailing'
  switch (item.state) {
    case 'scheduled':
      return { text: `${what}, scheduled`, tone: 'accent' }
    case 'published':
      return { text: 'Published, not emailed', tone: 'accent' }
    case 'preparing':
    case 'sending':
      return { text: 'Sending now', tone: 'primary' }
    case 'paused':
      return { text: 'Mailing, paused', tone: 'danger' }
    default:
      return { text: `${what}, draft`, tone: 'plain' }
  }
}

function Needs({ item, needs: { count, first } }: { item: Upcoming; needs: Upcoming['needs'] }) {
  if (item.state === 'sending' || item.state === 'preparing' || item.state === 'paused') return null
  if (count === 0) {
    const ready =
      item.state === 'scheduled' ? 'Nothing left to do' : item.kind === 'drop' ? 'Ready to publish' : 'Ready to send'
    return (
      <p className="mt-1 flex gap-2 text-sm leading-6 text-muted">
        <CircleCheck aria-hidden className="mt-1 size-4 shrink-0 text-success" strokeWidth={1.75} />
        {ready}
      </p>
    )
  }
  return (
    <ul className="mt-1 grid gap-0.5 text-sm leading-6">
      {first.map((message) => (
        <li key={message} className="flex gap-2 [overflow-wrap:anywhere]">
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0 text-accent-ink" strokeWidth={1.75} />
          <span className="min-w-0">{message}</span>
        </li>
      ))}
      {count > first.length && <li className="pl-6 text-muted">and {count - first.length} more</li>}
    </ul>
  )
}
