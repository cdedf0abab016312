import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { endTaskLinksCall, type TaskLink, taskPhotoCall, taskSheetsCall } from '#shared/contracts/reader/task-links.ts'
import { TaskSheets } from './task-sheets.tsx'

type TaskLinkStatusProps = { title: string; link: TaskLink; isOwner: boolean }

/** Who opened a task by its link, and what they sent. */
export default function TaskLinkStatus({ title, link, isOwner }: TaskLinkStatusProps) {
  const [isShown, setIsShown] = useState(false)
  const end = useChange(endTaskLinksCall, { done: 'Link ended', failure: 'The link wasn’t ended' })
  const { assignmentId, crew, works, expiresAt, opened, answers } = link
  const lastMinute = new Date(Date.parse(expiresAt) - 60_000).toISOString()
  const names = opened.filter(({ name }) => name !== '')
  const [first] = names.length > 0 ? names : opened
  return (
    <div className="mt-2 border-l-2 border-line pl-3 text-sm">
      <p className="text-muted">
        {works ? 'Link' : 'Ended link'}
        {crew && ` for ${crew}`}
        {works && (
          <>
            , works until <Timestamp at={lastMinute} inline />
          </>
        )}
        {'. '}
        {first ? (
          <>
            Opened {names.length > 0 && `by ${names.map(({ name }) => name).join(', ')}, `}
            <Timestamp at={first.firstAt} inline />.
          </>
        ) : (
          'Not opened yet.'
        )}
      </p>
      <ul>
        {answers.map((answer) => (
          <li key={answer.answerId} className="mt-1 [overflow-wrap:anywhere]">
            <strong>{answer.name}</strong>{' '}
            {answer.kind === 'question'
              ? `asks: ${answer.text}`
              : `checked it off${answer.number && `: ${answer.number}`}`}{' '}
            <span className="text-muted">
              <Timestamp at={answer.at} inline />
            </span>
            {answer.photo === 'deleted' && <span className="text-muted"> Photo deleted after 90 days.</span>}
            {answer.photo === 'kept' && isOwner && <PhotoButton answerId={answer.answerId} name={answer.name} />}
          </li>
        ))}
      </ul>
      {works && (
        <div className="-ml-2.5 flex flex-wrap">
          <Button variant="quiet" size="sm" onClick={() => setIsShown(true)}>
            Show link<span className="sr-only"> to {title}</span>
          </Button>
          <Button
            variant="quiet"
            size="sm"
            pending={end.isPending}
            onClick={() => end.mutate({ assignmentIds: [assignmentId] })}
          >
            End link<span className="sr-only"> to {title}</span>
          </Button>
        </div>
      )}
      {isShown && (
        <QueryDialog
          title={`Link: ${title}`}
          what="the link"
          queryKey={['task-sheets', assignmentId]}
          read={(signal) => invoke(taskSheetsCall, { assignmentIds: [assignmentId] }, signal)}
          onClose={() => setIsShown(false)}
        >
          {({ sheets }) => <TaskSheets sheets={sheets} />}
        </QueryDialog>
      )}
    </div>
  )
}

type QueryDialogProps<Data> = {
  title: string
  what: string
  queryKey: readonly string[]
  read: (signal: AbortSignal) => Promise<Data>
  onClose: () => void
  children: (data: Data) => ReactNode
}

/** A dialog that reads what it shows. */
function QueryDialog<Data>({ title, what, queryKey, read, onClose, children }: QueryDialogProps<Data>) {
  const query = useQuery({ queryKey, queryFn: ({ signal }) => read(signal) })
  return (
    <Dialog title={title} onClose={onClose}>
      {query.data ? (
        children(query.data)
      ) : (
        <QueryPlaceholder query={query} what={what} lines={1} height="h-40" className="mt-4" />
      )}
    </Dialog>
  )
}

function PhotoButton({ answerId, name }: { answerId: string; name: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="sm" onClick={() => setIsOpen(true)}>
        Show photo<span className="sr-only"> from {name}</span>
      </Button>
      {isOpen && (
        <QueryDialog
          title={`Photo from ${name}`}
          what="the photo"
          queryKey={['task-photo', answerId]}
          read={(signal) => invoke(taskPhotoCall, { answerId }, signal)}
          onClose={() => setIsOpen(false)}
        >
          {({ image }) => <img src={image} alt={`Sent by ${name}`} className="mt-4 w-full rounded-sm" />}
        </QueryDialog>
      )}
    </>
  )
}
