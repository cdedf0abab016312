import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { formatDay } from '#shared/domain/format.ts'

type ScheduledMailing = { id: string; subject: string; scheduledAt: string | null }

type ScheduledNoteProps = {
  mailings: readonly ScheduledMailing[]
  /** How they are affected. */
  children: ReactNode
}

/** Lists the scheduled mailings that contain a drop, before the drop is changed or unpublished. */
function ScheduledNote({ mailings, children }: ScheduledNoteProps) {
  if (mailings.length === 0) return null
  return (
    <div className="mt-4 border-l-3 border-accent pl-4">
      <p className="font-semibold text-ink">{children}</p>
      <ul aria-label="Scheduled mailings" className="mt-1.5 grid gap-1.5 text-sm">
        {mailings.map(({ id, subject, scheduledAt }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <Link to={`/admin/newsletter/${id}`} className="text-link">
              {subject}
            </Link>
            {scheduledAt && (
              <>
                , <Timestamp at={scheduledAt} inline />
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

type PublishDialogProps = {
  /** "drop", "guide" */
  one: string
  isPublished: boolean
  /** Date of the drop if it is in the future. */
  futureDate: string | null
  mailings: readonly ScheduledMailing[]
  /** Problems that the checks found and publishing allows. */
  warnings: readonly string[]
  onPublish: () => void
  /** For a drop that was never emailed. */
  onEmail: (() => void) | undefined
  onSchedule: () => void
  onClose: () => void
}

export function PublishDialog(props: PublishDialogProps) {
  const { one, isPublished, futureDate, mailings, warnings, onPublish, onEmail, onSchedule, onClose } = props
  if (futureDate) {
    return (
      <ActionDialog
        title={`This ${one} is dated ${formatDay(futureDate)}`}
        action={`Schedule it for ${formatDay(futureDate)}`}
        other={{ action: 'Publish now', onAct: onPublish }}
        onAct={onSchedule}
        onClose={onClose}
      >
        If you publish it now, today becomes its date.
      </ActionDialog>
    )
  }
  return (
    <ActionDialog
      title={isPublished ? `Publish changes to this ${one}?` : `Publish this ${one}?`}
      action={isPublished ? 'Publish changes' : 'Publish now'}
      onAct={onPublish}
      other={onEmail && { action: 'Publish and email…', onAct: onEmail }}
      onClose={onClose}
    >
      {isPublished ? 'Readers see your changes right away.' : 'Readers see it in the portal right away.'}
      {warnings.length > 0 && (
        <div className="mt-4">
          <p className="font-semibold text-ink">Worth a look first</p>
          <ul className="mt-1 grid list-disc gap-1 pl-5 text-sm">
            {[...new Set(warnings)].slice(0, 5).map((words) => (
              <li key={words} className="[overflow-wrap:anywhere]">
                {words}
              </li>
            ))}
          </ul>
        </div>
      )}
      <ScheduledNote
        mailings={mailings}
      >{ownWords`Mailings scheduled on their own keep their current text. To send these changes, choose Update to latest there. An email scheduled with this drop still goes out at its time, with the text that is published then.`}</ScheduledNote>
    </ActionDialog>
  )
}

type UnpublishDialogProps = {
  one: string
  isScheduled: boolean
  mailings: readonly ScheduledMailing[]
  pending: boolean
  onUnpublish: () => void
  onClose: () => void
}

export function UnpublishDialog(props: UnpublishDialogProps) {
  const { one, isScheduled, mailings, pending, onUnpublish, onClose } = props
  return (
    <ActionDialog
      title={`Unpublish this ${one}?`}
      action="Unpublish now"
      danger
      pending={pending}
      onAct={onUnpublish}
      onClose={onClose}
    >
      Readers can’t see it anymore, and links to it stop working. The text stays here.
      {isScheduled && ' Its schedule is canceled.'}
      <ScheduledNote mailings={mailings}>
        {mailings.length > 1 ? 'These mailings are' : 'This mailing is'}
        {ownWords` scheduled and won’t be sent while the drop is unpublished.`}
      </ScheduledNote>
    </ActionDialog>
  )
}

type DeleteDraftDialogProps = { onDelete: () => void; onClose: () => void }

export const DeleteDraftDialog = ({ onDelete, onClose }: DeleteDraftDialogProps) => (
  <ActionDialog title="Delete this draft?" action="Delete draft" danger onAct={onDelete} onClose={onClose}>
    You can restore it for 30 days from “Recently deleted” below the list, without its schedule and email.
  </ActionDialog>
)

type ActionDialogProps = {
  title: string
  children: ReactNode
  action: string
  danger?: boolean
  pending?: boolean
  onAct: () => void
  /** A second choice. */
  other?: { action: string; onAct: () => void }
  onClose: () => void
}

function ActionDialog(props: ActionDialogProps) {
  const { title, children, action, danger = false, pending = false, onAct, other, onClose } = props
  const closeAnd = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-2 text-muted">{children}</div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant={danger ? 'danger' : 'primary'} pending={pending} onClick={closeAnd(onAct)}>
          {action}
        </Button>
        {other && (
          <Button variant="secondary" onClick={closeAnd(other.onAct)}>
            {other.action}
          </Button>
        )}
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
