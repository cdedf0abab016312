import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { announce } from '#client/ui/announce.ts'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import type { ContentEntry } from '#shared/contracts/publishing/publishing.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { contentQuery, useReorderContent } from './content.api.ts'
import { contentKinds } from './content-kinds.ts'
import { DeletedDrafts } from './deleted-drafts.tsx'
import { moveItem } from './move-item.ts'
import { NewDocument } from './new-document.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { StateTag } from './state-tag.tsx'

const inOrder = 'Readers see this order. Use the arrows to change it. New items go to the end.'
const ledes: Record<DocumentKind, string> = {
  issue: 'Newest first, as readers see them.',
  'prompt-pack': `${inOrder} Packs named after a reader’s focus areas come first for that reader.`,
  guide: inOrder,
  tool: inOrder,
}

/** All documents of one kind, in the order that readers see. */
export function ContentList({ kind }: { kind: DocumentKind }) {
  const { data: entries } = useQuery(contentQuery(kind))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const select = (id: string, isSelected: boolean) =>
    setSelected(new Set(isSelected ? [...selected, id] : [...selected].filter((other) => other !== id)))
  const selection = { selected, onSelect: select }
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <p className="max-w-[60ch] text-muted">{ledes[kind]}</p>
        <NewDocument kind={kind} />
      </div>
      {entries && (
        <SelectionBar kind={kind} entries={entries} selected={selected} onClear={() => setSelected(new Set())} />
      )}
      {!entries ? (
        <SkeletonText lines={4} height="h-14" />
      ) : entries.length === 0 ? (
        <p className="border-y border-line py-8 text-muted">
          Nothing here yet. Create your first {contentKinds[kind].one}. Readers won’t see it until you publish it.
        </p>
      ) : kind === 'issue' ? (
        <ol aria-label={contentKinds[kind].title} className="divide-y divide-line border-y border-line">
          {entries.map((entry) => (
            <Row key={entry.id} kind={kind} entry={entry} {...selection} />
          ))}
        </ol>
      ) : (
        <OrderedList kind={kind} entries={entries} {...selection} />
      )}
      <DeletedDrafts kind={kind} />
    </div>
  )
}

type Selection = { selected: ReadonlySet<string>; onSelect: (id: string, isSelected: boolean) => void }
type OrderedListProps = Selection & { kind: Exclude<DocumentKind, 'issue'>; entries: readonly ContentEntry[] }

function OrderedList({ kind, entries, ...selection }: OrderedListProps) {
  const order = useReorderContent(kind)
  const list = useRef<HTMLOListElement>(null)
  const wanted = useRef<{ row: number; way: 'up' | 'down'; id: string } | null>(null)
  const placed = entries.filter((entry) => entry.hasBeenPublished)
  const move = (from: number, by: number, way: 'up' | 'down') => {
    const to = from + by
    const before = placed.map(({ id }) => id)
    order.mutate({ before, ids: moveItem(before, from, to) })
    announce(`${placed[from]?.title} is now ${to + 1} of ${placed.length}`)
    wanted.current = { row: to, way, id: placed[from]?.id ?? '' }
  }
  // Moving a row drops focus. Restore it, or use the other button if this one is now disabled.
  useEffect(() => {
    const { row: index = -1, way, id } = wanted.current ?? {}
    if (!id || entries[index]?.id !== id) return
    wanted.current = null
    const row = list.current?.children[index]
    const button =
      row?.querySelector<HTMLElement>(`[data-move=${way}]:not(:disabled)`) ??
      row?.querySelector<HTMLElement>('[data-move]:not(:disabled)')
    button?.focus()
  }, [entries])
  return (
    <ol ref={list} aria-label={contentKinds[kind].title} className="divide-y divide-line border-y border-line">
      {entries.map((entry) => {
        const index = placed.indexOf(entry)
        return (
          <Row key={entry.id} kind={kind} entry={entry} {...selection}>
            {index !== -1 && placed.length > 1 && (
              <div className="-mr-2 flex shrink-0">
                <MoveButtons
                  label={(direction) => `Move ${entry.title} ${direction}`}
                  isFirst={index === 0}
                  isLast={index === placed.length - 1}
                  onMove={(by, direction) => move(index, by, direction)}
                />
              </div>
            )}
          </Row>
        )
      })}
    </ol>
  )
}

type RowProps = Selection & { kind: DocumentKind; entry: ContentEntry; children?: ReactNode }

function Row({ kind, entry, selected, onSelect, children }: RowProps) {
  const title = entry.title || 'Untitled'
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-4 py-3">
      <label className="-ml-3 grid size-11 shrink-0 cursor-pointer place-items-center">
        <span className="sr-only">Select {title}</span>
        <input
          type="checkbox"
          className="size-4.5"
          checked={selected.has(entry.id)}
          onChange={(event) => onSelect(entry.id, event.target.checked)}
        />
      </label>
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to={`/admin/content/${contentKinds[kind].path}/${entry.id}`}
            className="display inline-flex min-h-11 min-w-11 items-center rounded-sm text-lg [overflow-wrap:anywhere] hover:text-primary hover:underline hover:underline-offset-4"
          >
            {title}
          </Link>
          <StateTag state={entry.state} isScheduled={entry.scheduledAt !== null} />
          {entry.publishFailed && <Tag tone="danger">Not published as scheduled</Tag>}
        </p>
        <p className="mt-1 text-sm text-muted tabular-nums">
          {kind === 'issue' && (
            <span className="max-sm:block">
              {entry.date ? <time dateTime={entry.date}>{formatDay(entry.date)}</time> : 'No date yet'}
              <span className="max-sm:hidden"> · </span>
            </span>
          )}
          {entry.scheduledAt && (
            <span className="font-medium text-accent-ink">
              Publishes <Timestamp at={entry.scheduledAt} inline /> ·{' '}
            </span>
          )}
          Edited <Timestamp at={entry.updatedAt} inline />
          {entry.updatedBy && <span className="[overflow-wrap:anywhere]"> by {entry.updatedBy}</span>}
        </p>
      </div>
      {children}
    </li>
  )
}
