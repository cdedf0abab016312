import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { formatMonth } from '#client/features/library/issues/group-by-month.ts'
import { archiveQuery } from '#client/features/library/search/search.api.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { FilterChip, FilterChipRow } from '#client/ui/filter-chip.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import type { Archive } from '#shared/contracts/library/search.ts'
import { formatDay } from '#shared/domain/format.ts'
import { optionKeys, optionLabel, optionLabels } from '#shared/domain/preferences.ts'

const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/

/** All drops by month and tag, with both in the address. */
export function Component() {
  const [params, setParams] = useSearchParams()
  const givenMonth = params.get('month') ?? ''
  const month = monthPattern.test(givenMonth) ? givenMonth : null
  const tag = optionKeys(publication, 'focusAreas').find((area) => area === params.get('tag')) ?? null
  const archive = useQuery(archiveQuery(month, tag))
  const choose = (next: { month: string | null; tag: string | null }) =>
    setParams(
      Object.entries(next).flatMap(([key, value]): [string, string][] => (value === null ? [] : [[key, value]])),
      { preventScrollReset: true },
    )
  return (
    <>
      <PageHeading title="Archive" lede={ownWords`All published drops, by month and by tag.`} />
      {!archive.data && (
        <QueryPlaceholder query={archive} what="the archive" lines={12} height="h-12" className="mt-6" />
      )}
      {archive.data && (
        <>
          <div className="mt-6 grid gap-3 print:hidden">
            <FilterChipRow label="Tag">
              {archive.data.tags.map(({ tag: name, count }) => (
                <FilterChip
                  key={name}
                  pressed={name === tag}
                  onToggle={() => choose({ month, tag: name === tag ? null : name })}
                >
                  {optionLabel(publication, 'focusAreas', name)}{' '}
                  <span className="text-muted tabular-nums">{count}</span>
                </FilterChip>
              ))}
            </FilterChipRow>
            <FilterChipRow label="Month">
              {archive.data.months.map(({ month: name, count }) => (
                <FilterChip
                  key={name}
                  pressed={name === month}
                  onToggle={() => choose({ month: name === month ? null : name, tag })}
                >
                  {formatMonth(name)} <span className="text-muted tabular-nums">{count}</span>
                </FilterChip>
              ))}
            </FilterChipRow>
          </div>
          <div className="mt-2 flex min-h-11 flex-wrap items-center justify-between gap-x-6">
            <p role="status" className="text-sm text-muted tabular-nums">
              {archive.data.issues.length === 1 ? ownWords`1 drop` : ownWords`${archive.data.issues.length} drops`}
            </p>
            {(month || tag) && (
              <Button variant="quiet" size="sm" onClick={() => choose({ month: null, tag: null })}>
                Clear filters
              </Button>
            )}
          </div>
          <ArchiveList issues={archive.data.issues} />
        </>
      )}
    </>
  )
}

function ArchiveList({ issues }: { issues: Archive['issues'] }) {
  if (issues.length === 0) {
    return <p className="border-y border-line py-8 text-muted">{ownWords`No drops match. Remove a filter.`}</p>
  }
  return (
    <ul className="border-t border-line">
      {issues.map((issue) => (
        <li key={issue.id} className="border-b border-line">
          <Link
            to={`/portal/weekly-drops/${issue.slug}`}
            className="group grid gap-x-8 gap-y-1 py-4 -outline-offset-3 sm:grid-cols-[9.5rem_minmax(0,1fr)]"
          >
            <span className="text-sm text-muted tabular-nums">
              <time dateTime={issue.date}>{formatDay(issue.date)}</time>
            </span>
            <span className="min-w-0">
              <span className="block leading-snug font-semibold group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
                {issue.title}
              </span>
              <span className="mt-1 block measure text-sm text-muted">{issue.preview}</span>
              <span className="mt-1 block text-xs text-muted">
                {optionLabels(publication, 'focusAreas', issue.tags).join(', ')}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
