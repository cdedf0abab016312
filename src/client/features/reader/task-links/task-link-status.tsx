import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invoke } from '#client/lib/invoke.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { endTaskLinksCall, type TaskLink, taskPhotoCall, taskSheetsCall } from '#shared/contracts/reader/task-links.ts'
import { TaskSheets } from './task-sheets.tsx'

type TaskLinkStatusProps = { title: string; link: TaskLink; isOwner: boolean }

/** Who opened a task by its link, and what they sent. */
export default function TaskLinkStatus({ title, link, isOwner }: TaskLinkStatusProps) {
  const [isShown, setIsShown] = useState(false)
  const end = useChange(endTaskLinksCall, { done: 'Link ended', failure: 'The link wasn’t ended' })
  const { assignmentId, crew, works, expiresAt, opened, answers } = link
  const names = opened.filter(({ name }) => name !== '')
  const [first] = names.length > 0 ? names : opened
  return (
    <div className="mt-2 border-l-2 border-line pl-3 text-sm">
      <p className="text-muted">
        {works ? 'Link' : 'Ended link'}
        {crew && ` for ${crew}`}
        {works && (
          <>
            , works until <Timestamp at={expiresAt} inline />
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
            Show link<span className="sr-only">: {title}</span>
          </Button>
          <Button
            variant="quiet"
            size="sm"
            pending={end.isPending}
            onClick={() => end.mutate({ assignmentIds: [assignmentId] })}
          >
            End link<span className="sr-only">: {title}</span>
          </Button>
        </div>
      )}
      {isShown && <LinkDialog title={title} assignmentId={assignmentId} onClose={() => setIsShown(false)} />}
    </div>
  )
}

function LinkDialog({ title, assignmentId, onClose }: { title: string; assignmentId: string; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['task-sheets', assignmentId],
    queryFn: ({ signal }) => invoke(taskSheetsCall, { assignmentIds: [assignmentId] }, signal),
  })
  return (
    <Dialog title="Task link" onClose={onClose}>
      <p className="mt-1 text-muted [overflow-wrap:anywhere]">{title}</p>
      {query.isError ? (
        <LoadError what="the link" query={query} />
      ) : query.data ? (
        <TaskSheets sheets={query.data.sheets} />
      ) : (
        <LoadingPlaceholder>
          <Skeleton className="mt-4 h-28" />
        </LoadingPlaceholder>
      )}
    </Dialog>
  )
}

function PhotoButton({ answerId, name }: { answerId: string; name: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const photo = useQuery({
    queryKey: ['task-photo', answerId],
    queryFn: ({ signal }) => invoke(taskPhotoCall, { answerId }, signal),
    enabled: isOpen,
  })
  return (
    <>
      <Button variant="quiet" size="sm" onClick={() => setIsOpen(true)}>
        Show photo<span className="sr-only"> from {name}</span>
      </Button>
      {isOpen && (
        <Dialog title={`Photo from ${name}`} onClose={() => setIsOpen(false)}>
          {photo.isError ? (
            <LoadError what="the photo" query={photo} />
          ) : photo.data ? (
            <img src={photo.data.image} alt={`Sent by ${name}`} className="mt-4 w-full rounded-sm" />
          ) : (
            <LoadingPlaceholder>
              <Skeleton className="mt-4 h-72" />
            </LoadingPlaceholder>
          )}
        </Dialog>
      )}
    </>
  )
}
