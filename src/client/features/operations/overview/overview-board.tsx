import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { describeTotals, tryOutcomeLabels } from '#shared/domain/try-outcomes.ts'
import { AttentionList } from './attention-list.tsx'
import { FiguresList } from './figures-list.tsx'
import { FiguresTables } from './figures-tables.tsx'
import { OverviewSection } from './overview-section.tsx'
import { type PrepareEmail, UpcomingList } from './upcoming-list.tsx'

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
