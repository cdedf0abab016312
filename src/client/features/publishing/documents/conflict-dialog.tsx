import { clsx } from 'clsx'
import { useSession } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { Draft } from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { diffDrafts, type FieldChange } from './diff-drafts.ts'
import { mergeDrafts } from './merge-drafts.ts'

type ConflictDialogProps = {
  /** The text that both edits started from. */
  base: Draft
  mine: Draft
  theirs: StoredDocument
  /** Gets my changes merged into theirs. */
  onKeepMine: (merged: Draft) => void
  onTakeTheirs: () => void
  onClose: () => void
}

/** Shows what two people changed in the same text, and lets the second one choose what to keep. */
export function ConflictDialog({ base, mine, theirs, onKeepMine, onTakeTheirs, onClose }: ConflictDialogProps) {
  const differences = diffDrafts(mine, theirs.document, base)
  const { user } = useSession()
  const isOwn = theirs.updatedBy !== null && theirs.updatedBy === user?.email
  const isClash = differences.some(({ changedBy }) => changedBy === 'both')
  return (
    <Dialog title="Newer changes were saved" onClose={onClose}>
      <p className="mt-2 text-muted">
        <span className="font-medium text-ink [overflow-wrap:anywhere]">
          {isOwn ? 'You' : (theirs.updatedBy ?? 'The content folder')}
        </span>{' '}
        saved this{isOwn && ' in another tab or browser'} <Timestamp at={theirs.updatedAt} inline />. Your changes here
        aren’t saved yet.
      </p>
      <ScrollBox label="Changes" className="mt-4 max-h-[45dvh] overflow-y-auto border-y border-line">
        <dl className="divide-y divide-line text-sm">
          {differences.map((difference) => (
            <DifferenceRow
              key={`${difference.field} ${difference.mine} ${difference.theirs}`}
              difference={difference}
            />
          ))}
          {differences.length === 0 && <div className="py-3 text-muted">Both versions are the same.</div>}
        </dl>
      </ScrollBox>
      <p className="mt-4 text-sm text-muted">
        {isClash
          ? 'Keep mine uses your text where you both made changes.'
          : 'You changed different things. Keep mine saves both.'}{' '}
        Their version stays in Versions.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button onClick={() => onKeepMine(mergeDrafts(base, mine, theirs.document))}>Keep mine</Button>
        <Button variant="secondary" onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Decide later
        </Button>
      </div>
    </Dialog>
  )
}

const notes = { both: null, me: 'Only you changed this', them: 'Only they changed this' } as const

function DifferenceRow({ difference: { field, mine, theirs, changedBy } }: { difference: FieldChange }) {
  return (
    <div className="py-3">
      <dt className="font-semibold">
        {field}
        {notes[changedBy] && <span className="ml-2 font-normal text-muted">{notes[changedBy]}</span>}
      </dt>
      <dd className={clsx('mt-1 grid gap-3', changedBy === 'both' && 'sm:grid-cols-2')}>
        {changedBy !== 'them' && <Version name="Yours" text={mine} />}
        {changedBy !== 'me' && <Version name="Theirs" text={theirs} />}
      </dd>
    </div>
  )
}

const Version = ({ name, text }: { name: string; text: string }) => (
  <div className="min-w-0">
    <p className="text-muted">{name}</p>
    <p className="mt-0.5 whitespace-pre-wrap [overflow-wrap:anywhere]">
      {text || <span className="text-muted">Empty</span>}
    </p>
  </div>
)
