import { useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { Link } from 'react-router'
import { pagedQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { FilterChip, FilterChipRow } from '#client/ui/filter-chip.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import {
  adminCommentsCall,
  adminModerateCommentCall,
  adminSuspendCommenterCall,
  type CommentFilter,
  type ModeratedComment,
} from '#shared/contracts/reader/comments.ts'

const filters: Record<CommentFilter, string> = { waiting: 'Waiting', all: 'All answers', suspended: 'Suspended people' }
const rowIn = (list: Element, step: number) => {
  const rows = [...list.querySelectorAll<HTMLElement>('article')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  return rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
}

/** Answers for the staff to review, with keyboard shortcuts. */
export function CommentQueue() {
  const [filter, setFilter] = useState<CommentFilter>('waiting')
  const query = useInfiniteQuery(pagedQuery(['admin-comments', filter], adminCommentsCall, { filter }))
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget, key } = event
    const isTyping = (target as Element).closest('input, textarea, select, dialog') !== null
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key]
    const row = rowIn(currentTarget, step ?? 0)
    if (step) row?.focus()
    else {
      const action = row?.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`)
      if (!action || !row?.contains(document.activeElement)) return
      // The row is about to leave the list, so the next one takes the focus.
      if (key === 'a' || key === 'h') rowIn(currentTarget, row === rowIn(currentTarget, 1) ? -1 : 1)?.focus()
      action.click()
    }
    event.preventDefault()
  }
  return (
    <>
      <FilterChipRow label="Show">
        {(Object.entries(filters) as [CommentFilter, string][]).map(([value, label]) => (
          <FilterChip key={value} pressed={filter === value} onToggle={() => setFilter(value)}>
            {label}
          </FilterChip>
        ))}
      </FilterChipRow>
      <p className="my-4 text-sm text-muted pointer-coarse:hidden">
        Keys: <kbd>j</kbd> and <kbd>k</kbd> or arrows move, <kbd>a</kbd> approves, <kbd>h</kbd> hides, <kbd>s</kbd>{' '}
        suspends the person, <kbd>o</kbd> opens the answer, where you can reply.
      </p>
      <InfiniteList
        query={query}
        what="the answers"
        skeleton={<SkeletonText lines={4} height="h-20" />}
        empty={items.length > 0 ? null : filter === 'waiting' ? 'Nothing is waiting for you.' : 'No answers yet.'}
      >
        <ol
          aria-label={filters[filter]}
          onKeyDown={handleKey}
          className="border-b border-line pointer-coarse:[&_kbd]:hidden"
        >
          {items.map((comment) => (
            <li key={comment.id} className="border-t border-line">
              <QueueRow comment={comment} />
            </li>
          ))}
        </ol>
      </InfiniteList>
    </>
  )
}

const KeyButton = ({ shortcut, children, ...button }: ComponentProps<typeof Button> & { shortcut: string }) => (
  <Button size="sm" variant="secondary" aria-keyshortcuts={shortcut} {...button}>
    {children} <kbd aria-hidden>{shortcut}</kbd>
  </Button>
)

function QueueRow({ comment }: { comment: ModeratedComment }) {
  const { id, state, name, memberId, isSuspended, isQuestion, reports, drop } = comment
  const moderate = useChange(adminModerateCommentCall, { failure: 'That wasn’t saved' })
  const suspend = useChange(adminSuspendCommenterCall, { failure: 'That wasn’t saved' })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the list act on the focused row
    <article tabIndex={0} aria-label={`${isQuestion ? 'Question' : 'Answer'} by ${name}`} className="grid gap-2 p-4">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
        {memberId ? (
          <Link to={`/admin/members/${memberId}`} className="text-link -m-2 min-w-11 p-2.5 font-semibold">
            {name}
          </Link>
        ) : (
          <span className="font-semibold">{name}</span>
        )}
        {isQuestion && <Tag tone="accent">Question</Tag>}
        {state !== 'visible' && <Tag tone="danger">{state === 'held' ? 'Held' : 'Hidden'}</Tag>}
        {isSuspended && <Tag tone="danger">Suspended</Tag>}
      </p>
      <TrustedHtml html={comment.html} className="measure wrap-anywhere" />
      {reports.length > 0 && <p className="text-sm text-danger wrap-anywhere">Reported: {reports.join(' · ')}</p>}
      <p className="text-sm text-muted wrap-anywhere">
        {drop.title || ownWords`a drop that was deleted`}, <Timestamp inline at={comment.at} />
      </p>
      <div className="flex flex-wrap gap-2">
        <KeyButton shortcut="a" onClick={() => moderate.mutate({ id, isShown: true })}>
          {state === 'visible' ? 'Done' : 'Approve'}
        </KeyButton>
        {state !== 'hidden' && (
          <KeyButton shortcut="h" onClick={() => moderate.mutate({ id, isShown: false })}>
            Hide
          </KeyButton>
        )}
        <KeyButton shortcut="s" variant="quiet" onClick={() => suspend.mutate({ id, isSuspended: !isSuspended })}>
          {isSuspended ? 'Lift suspension' : 'Suspend person'}
        </KeyButton>
        <Link
          to={`/talk/${encodeURIComponent(drop.id)}#answer-${id}`}
          className="text-link p-2 text-sm"
          aria-keyshortcuts="o"
        >
          Open <kbd aria-hidden>o</kbd>
        </Link>
      </div>
    </article>
  )
}
