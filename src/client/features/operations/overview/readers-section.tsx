import { PageLink } from '#client/ui/page-link.tsx'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { describeTotals, tryOutcomeLabels } from '#shared/domain/try-outcomes.ts'
import { OverviewSection } from './overview-section.tsx'

/** Shows what readers tried and said lately. */
export function ReadersSection({ readers: { notes, items } }: { readers: NonNullable<AdminOverview['readers']> }) {
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
