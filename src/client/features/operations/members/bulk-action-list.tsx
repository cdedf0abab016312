import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminUndoBulkActionCall,
  isFinalAction,
  type StartedBulkAction,
} from '#shared/contracts/operations/bulk-actions.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { bulkActionsQuery } from './members-list.api.ts'

const isOpen = ({ status }: StartedBulkAction) => status === 'running' || status === 'undoing'

/** The last changes of many members, with their progress and a way to undo them. */
export function BulkActionList({ expanded }: { expanded: boolean }) {
  const { data } = useQuery(bulkActionsQuery)
  const queryClient = useQueryClient()
  const items = data?.items ?? []
  const open = items.filter(isOpen).length
  // The list shows what a finished change did. A short one may never have been seen running.
  const finished = data && items.flatMap((item) => (isOpen(item) ? [] : `${item.id} ${item.status}`)).join()
  const shownFinished = useRef(finished)
  useEffect(() => {
    const hasChanged = shownFinished.current !== undefined && finished !== shownFinished.current
    shownFinished.current = finished
    if (hasChanged) void queryClient.invalidateQueries({ queryKey: ['admin-members'] })
  }, [finished, queryClient])
  if (items.length === 0) return null
  const list = (
    <ul aria-label="Changes of many members" className="grid gap-3 pb-4">
      {items.map((item) => (
        <BulkActionRow key={item.id} item={item} />
      ))}
    </ul>
  )
  // A change that was just started shows its progress.
  if (expanded || open > 0) return <div className="mb-4 border-y border-line pt-4">{list}</div>
  return (
    <Disclosure summary="Recent changes" className="mb-4 border-y border-line">
      {list}
    </Disclosure>
  )
}

function BulkActionRow({ item }: { item: StartedBulkAction }) {
  const undo = useChange(adminUndoBulkActionCall, { failure: 'We couldn’t undo this' })
  const { status, total, done, changed } = item
  const running = isOpen(item)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-semibold">{actionText(item)}</p>
        <p className="text-muted">
          {item.selection}; by {item.by ?? 'a former colleague'}, <Timestamp at={item.createdAt} />
        </p>
        <p role="status" className="text-muted tabular-nums">
          {statusText(item)}
        </p>
        {running && (
          <progress className="mt-1 w-56 max-w-full" max={Math.max(total, 1)} value={done} aria-label="Progress" />
        )}
      </div>
      {(status === 'running' ||
        ((status === 'finished' || status === 'stopped') && changed > 0 && !isFinalAction(item.action))) && (
        <Button variant="secondary" size="sm" pending={undo.isPending} onClick={() => undo.mutate({ id: item.id })}>
          {status !== 'running' ? 'Undo' : isFinalAction(item.action) ? 'Stop' : 'Stop and undo'}
        </Button>
      )}
    </li>
  )
}

function actionText({ action }: StartedBulkAction): string {
  switch (action.kind) {
    case 'add-tag':
      return `Added the tag “${action.tag}”`
    case 'remove-tag':
      return `Removed the tag “${action.tag}”`
    case 'note':
      return `Added the note “${action.text.length > 60 ? `${action.text.slice(0, 60)}…` : action.text}”`
    case 'access':
      return `Gave complimentary access until ${formatDay(action.until)}`
    case 'unsubscribe':
      return 'Unsubscribed from all newsletters'
    case 'delete':
      return 'Deleted accounts'
  }
}

function statusText({ action, status, total, done, changed }: StartedBulkAction): string {
  switch (status) {
    case 'running':
      return `${formatNumber(done)} of ${formatCount(total, 'member')}`
    case 'undoing':
      return `Undoing: ${formatCount(changed, 'member')} left`
    case 'finished':
      if (action.kind === 'delete') {
        const leftOut = total - changed
        return `${formatCount(changed, 'member')} deleted${leftOut > 0 ? `, ${formatNumber(leftOut)} left out (staff, or already deleted)` : ''}`
      }
      return `${formatCount(changed, 'member')} changed${changed < total ? `, ${formatNumber(total - changed)} already that way` : ''}`
    case 'stopped':
      if (isFinalAction(action)) return `Stopped. ${formatCount(changed, 'member')} changed.`
      return `Stopped because the person running it lost their role. ${formatCount(changed, 'member')} changed.`
    case 'undone':
      return changed > 0 ? `Undone, except ${formatCount(changed, 'member')} that changed since` : 'Undone'
  }
}
