import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { fieldQuery } from '#client/lib/calls.ts'
import { submitHandler } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminDeletedDocumentsCall } from '#shared/contracts/publishing/content-cleanup.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import type { ContentEntry } from '#shared/contracts/publishing/publishing.ts'
import { formatDay } from '#shared/domain/format.ts'
import { contentQuery, useCreateDocument, useReorderContent, useRestoreDocuments } from './content.api.ts'
import { contentKinds } from './content-kinds.ts'
import { moveItem } from './move-item.ts'
import { SelectionBar } from './selection-bar.tsx'
import { StateTag } from './state-tag.tsx'

const deletedDocumentsQuery = (kind: DocumentKind) =>
  fieldQuery(['admin-deleted-documents', kind], adminDeletedDocumentsCall, { kind }, 'items', { staleTime: 0 })

/** Drafts that were deleted in the last 30 days, to restore. */
function DeletedDrafts({ kind }: { kind: DocumentKind }) {
  const { data: drafts = [] } = useQuery(deletedDocumentsQuery(kind))
  const restore = useRestoreDocuments(kind)
  if (drafts.length === 0) return null
  return (
    <Disclosure summary={`Recently deleted (${drafts.length})`}>
      <ul aria-label="Recently deleted" className="divide-y divide-line border-y border-line">
        {drafts.map(({ id, title, deletedAt, deletedBy }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {title}
              <span className="block text-sm text-muted">
                Deleted <Timestamp at={deletedAt} inline />
                {deletedBy && ` by ${deletedBy}`}
              </span>
            </span>
            <Button variant="secondary" size="sm" onClick={() => restore.mutate([id])}>
              Restore<span className="sr-only"> {title}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

type NewDocumentDialogProps = {
  kind: DocumentKind
  onClose: () => void
}

/** Creates a document with a title only and opens it. */
function NewDocumentDialog({ kind, onClose }: NewDocumentDialogProps) {
  const create = useCreateDocument(kind)
  const { one } = contentKinds[kind]
  const handleSubmit = submitHandler(create, (_text, form) => create.mutate({ title: String(form.get('title')) }))
  return (
    <Dialog title={`New ${one}`} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <TextField
          label={kind === 'tool' ? 'Name' : 'Title'}
          name="title"
          required
          maxLength={200}
          autoComplete="off"
          autoFocus
          error={formErrorMessage(create.error)}
        />
        <FormActions action={`Create ${one}`} pending={create.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** A new drop opens at once, with the cursor in its title. Other documents are named first: their title becomes an id. */
function NewDocument({ kind }: { kind: DocumentKind }) {
  const [isOpen, setIsOpen] = useState(false)
  const create = useCreateDocument(kind)
  const handleClick = () => {
    if (kind !== 'issue') setIsOpen(true)
    else if (!create.isPending) create.mutate({ title: '' })
  }
  return (
    <>
      <Button pending={create.isPending} onClick={handleClick}>
        <Plus aria-hidden className="size-4" strokeWidth={1.75} />
        New {contentKinds[kind].one}
      </Button>
      {isOpen && <NewDocumentDialog kind={kind} onClose={() => setIsOpen(false)} />}
    </>
  )
}

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
