import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Disclosure, Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { SharedNote, TriedItemReport, TryGroup, TryTotals } from '#shared/contracts/reader/tries.ts'
import { formatDuration } from '#shared/domain/format.ts'
import { answersIn, describeTotals, minAnswers, tryOutcomeLabels } from '#shared/domain/try-outcomes.ts'
import { sharedNotesQuery, triedItemsQuery } from './tries.api.ts'

export function TriesReport() {
  const items = useInfiniteQuery(triedItemsQuery)
  const all = items.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Section title="What works">
      <p className="mb-4 measure text-sm text-muted">
        Sections and prompts with at least {minAnswers} answers. Like readers, you see totals that change by at least{' '}
        {minAnswers} answers at a time, and groups of at least {minAnswers}.
      </p>
      <InfiniteList
        query={items}
        what="what works"
        skeleton={<SkeletonText lines={5} height="h-16" />}
        empty={all.length === 0 ? `No section or prompt has ${minAnswers} answers yet.` : null}
      >
        <ul aria-label="What works" className="border-b border-line">
          {all.map((item) => (
            <TriedItemRow key={`${item.kind} ${item.id}`} item={item} />
          ))}
        </ul>
      </InfiniteList>
    </Section>
  )
}

function TriedItemRow({ item: { kind, title, path, totals, breakdown } }: { item: TriedItemReport }) {
  return (
    <li className="border-t border-line py-4">
      <p className="font-semibold wrap-anywhere">
        {path ? (
          <Link to={path} className="text-link">
            {title}
          </Link>
        ) : (
          title
        )}
        <span className="ml-3 text-sm font-normal text-muted">
          {kind === 'prompt' ? 'Prompt' : 'Section'}
          {path ? '' : ', no longer published'}
        </span>
      </p>
      <div className="mt-2 max-w-2xl">
        <Bar totals={totals} />
        <p className="mt-1 text-sm tabular-nums">
          {describeTotals(totals)}
          {breakdown?.minutes &&
            `. ${breakdown.minutes.readers} entered time: ${formatDuration(breakdown.minutes.median)} a week at the median`}
        </p>
      </div>
      {breakdown && (
        <Disclosure summary="For whom" className="text-sm">
          <div className="grid max-w-5xl gap-x-10 gap-y-5 pb-2 sm:grid-cols-3">
            <Groups title="By trade" groups={breakdown.trades} />
            <Groups title="By AI level" groups={breakdown.levels} />
            <Groups title="By plan" groups={breakdown.plans} />
          </div>
        </Disclosure>
      )}
    </li>
  )
}

/** The shares of the three answers. The text beside it has the numbers. */
function Bar({ totals }: { totals: TryTotals }) {
  const shares = [
    ['fill-primary', totals.worked],
    ['fill-accent', totals.workedWithChanges],
    ['fill-line-strong', totals.didNotWork],
  ] as const
  return (
    <svg aria-hidden viewBox="0 0 100 4" preserveAspectRatio="none" className="block h-2 w-full rounded-sm">
      {shares.map(([fill, count], index) => {
        const before = shares.slice(0, index).reduce((sum, [, each]) => sum + each, 0)
        const unit = 100 / answersIn(totals)
        return <rect key={fill} x={before * unit} width={count * unit} height={4} className={fill} />
      })}
    </svg>
  )
}

function Groups({ title, groups }: { title: string; groups: readonly TryGroup[] }) {
  return (
    <div>
      <h3 className="font-semibold">{title}</h3>
      {groups.length === 0 ? (
        <p className="mt-1 text-muted">Fewer than {minAnswers} in each group.</p>
      ) : (
        <ul className="mt-1 grid gap-2">
          {groups.map((group) => (
            <li key={group.name}>
              {group.name}
              <Bar totals={group} />
              <span className="text-muted tabular-nums">{describeTotals(group)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function SharedNotes() {
  const notes = useInfiniteQuery(sharedNotesQuery)
  const all = notes.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Section title="Shared notes">
      <p className="mb-4 measure text-sm text-muted">
        Each reader chose to share this note with you, without a name. It disappears here when they take it back or
        delete their account, so don’t copy it elsewhere.
      </p>
      <InfiniteList
        query={notes}
        what="the shared notes"
        skeleton={<SkeletonText lines={4} height="h-20" />}
        empty={all.length === 0 ? 'No one has shared a note yet.' : null}
      >
        <ul aria-label="Shared notes" className="border-b border-line">
          {all.map((note) => (
            <NoteRow key={`${note.sharedAt} ${note.kind} ${note.id} ${note.note}`} note={note} />
          ))}
        </ul>
      </InfiniteList>
    </Section>
  )
}

const NoteRow = ({ note: { title, path, outcome, note, sharedAt } }: { note: SharedNote }) => (
  <li className="border-t border-line py-4">
    <p className="measure whitespace-pre-line wrap-anywhere">{note}</p>
    <p className="mt-1 text-sm text-muted">
      {tryOutcomeLabels[outcome]},{' '}
      {path ? (
        <Link to={path} className="text-link">
          {title}
        </Link>
      ) : (
        title
      )}
      . Shared <Timestamp inline at={sharedAt} />.
    </p>
  </li>
)
