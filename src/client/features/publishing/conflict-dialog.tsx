import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Moment } from '#client/ui/moment.tsx'
import type { Draft } from '#shared/contracts/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing.ts'
import { differencesOf } from './differences.ts'

type ConflictDialogProps = {
  mine: Draft
  theirs: StoredDocument
  onKeepMine: () => void
  onTakeTheirs: () => void
  onClose: () => void
}

/** Two have written at once: both texts side by side where they differ, and nothing is lost before somebody decides. */
export function ConflictDialog({ mine, theirs, onKeepMine, onTakeTheirs, onClose }: ConflictDialogProps) {
  const differences = differencesOf(mine, theirs.document)
  return (
    <Dialog title="Somebody else has saved" onClose={onClose}>
      <p className="mt-2 text-muted">
        <span className="font-medium text-ink [overflow-wrap:anywhere]">
          {theirs.updatedBy ?? 'The content folder'}
        </span>{' '}
        saved this <Moment at={theirs.updatedAt} inline />. Your text is still here, and is not saved.
      </p>
      <dl className="mt-4 max-h-[45dvh] divide-y divide-line overflow-y-auto border-y border-line text-sm">
        {differences.map(({ field, mine: own, theirs: other }) => (
          <div key={field} className="py-3">
            <dt className="font-semibold">{field}</dt>
            <dd className="mt-1 grid gap-3 sm:grid-cols-2">
              <Version name="Yours" text={own} />
              <Version name="Theirs" text={other} />
            </dd>
          </div>
        ))}
        {differences.length === 0 && <div className="py-3 text-muted">The two texts are the same.</div>}
      </dl>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={onKeepMine}>Keep mine</Button>
        <Button variant="secondary" onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Decide later
        </Button>
      </div>
      <p className="mt-3 text-sm text-muted">Whatever you choose, what they saved stays among the earlier versions.</p>
    </Dialog>
  )
}

const Version = ({ name, text }: { name: string; text: string }) => (
  <div className="min-w-0">
    <p className="text-muted">{name}</p>
    <p className="mt-0.5 max-h-48 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
      {text || <span className="text-muted">Empty</span>}
    </p>
  </div>
)
