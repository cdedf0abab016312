import { useQuery } from '@tanstack/react-query'
import { ChevronDown, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { SkeletonText } from '#client/ui/loading.tsx'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import { formatDay } from '#shared/domain/format.ts'
import { itemChangesQuery } from './freshness.api.ts'

type Version = ItemMarks['versions'][number]

/** Version and last day of an item. A tap on the version lists what changed. */
export default function VersionLine({ version: item, title }: { version: Version; title: string }) {
  const { version, changedAt, validUntil, outdated } = item
  const [open, setOpen] = useState(false)
  const listId = useId()
  return (
    <div className="text-sm text-muted">
      {validUntil && outdated && (
        <p className="my-1 flex items-center gap-2 font-semibold text-danger">
          <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          <span>
            Out of date: valid until <time dateTime={validUntil}>{formatDay(validUntil)}</time>
          </span>
        </p>
      )}
      {validUntil && !outdated && (
        <p>
          Valid until <time dateTime={validUntil}>{formatDay(validUntil)}</time>
        </p>
      )}
      {version > 1 && (
        <>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={listId}
            onClick={() => setOpen(!open)}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-sm text-left tabular-nums hover:text-ink"
          >
            Version {version}, changed {formatDay(changedAt.slice(0, 10))}
            <span className="sr-only">: what changed in {title}</span>
            <ChevronDown
              aria-hidden
              className={`size-4 shrink-0 transition-transform print:hidden ${open ? 'rotate-180' : ''}`}
              strokeWidth={1.75}
            />
          </button>
          <div id={listId} hidden={!open}>
            {open && <Changes version={item} />}
          </div>
        </>
      )}
    </div>
  )
}

function Changes({ version }: { version: Version }) {
  const changes = useQuery(itemChangesQuery(version))
  if (changes.isPending) return <SkeletonText lines={2} className="measure py-1" />
  if (changes.isError) return <p className="pb-2">We couldn’t load what changed. Close this and try again.</p>
  return (
    <ol className="measure pb-2">
      {changes.data.map((change) => (
        <li key={change.version} className="border-t border-line py-1.5">
          <span className="tabular-nums">
            Version {change.version}, {formatDay(change.changedAt.slice(0, 10))}
          </span>
          {change.note && <span className="block text-ink">{change.note}</span>}
        </li>
      ))}
    </ol>
  )
}
