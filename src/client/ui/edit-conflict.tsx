import { useId } from 'react'
import { Button } from './button.tsx'

type EditConflictProps = {
  /** Fields that both people changed, with the saved value; null if it doesn't fit on a line. */
  overlap: readonly { label: string; theirs: string | null }[]
  isPending: boolean
  onSave: () => void
  onDiscard: () => void
}

/** Someone else saved the form meanwhile. Their other changes are kept either way. */
export function EditConflict({ overlap, isPending, onSave, onDiscard }: EditConflictProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="my-6 max-w-xl border-l-3 border-danger bg-danger-soft px-5 py-4">
      <h3 id={id} className="font-semibold">
        Someone else saved these settings while you were editing
      </h3>
      <p className="mt-1">
        {overlap.length === 0
          ? 'You changed different settings, so both changes can be kept.'
          : 'Both of you changed the settings below. Saving replaces their text with yours, and keeps everything else they changed.'}
      </p>
      {overlap.length > 0 && (
        <dl className="mt-3 grid gap-2">
          {overlap.map(({ label, theirs }) => (
            <div key={label}>
              <dt className="text-sm font-semibold">{label}</dt>
              {theirs !== null && (
                <dd className="text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
                  <span className="text-muted">Saved meanwhile: </span>
                  <span dir="auto">{theirs || '(empty)'}</span>
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="secondary" pending={isPending} onClick={onSave}>
          {overlap.length === 0 ? 'Save both changes' : 'Save mine'}
        </Button>
        <Button variant="quiet" onClick={onDiscard}>
          Discard mine
        </Button>
      </div>
    </section>
  )
}
