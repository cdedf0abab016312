import { useState } from 'react'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#client/ui/form.tsx'
import {
  adminPreviewBulkActionCall,
  adminStartBulkActionCall,
  type BulkAction,
  type BulkTarget,
  isFinalAction,
} from '#shared/contracts/operations/bulk-actions.ts'
import { formatCount } from '#shared/domain/format-count.ts'

const kinds: Record<BulkAction['kind'], string> = {
  'add-tag': 'Add a tag',
  'remove-tag': 'Remove a tag',
  note: 'Add a note',
  access: 'Give complimentary access',
  unsubscribe: 'Unsubscribe from all newsletters',
  delete: 'Delete accounts',
}

const actionVerbs: Partial<Record<BulkAction['kind'], string>> = { unsubscribe: 'Unsubscribe', delete: 'Delete' }

type BulkActionDialogProps = { target: BulkTarget; onClose: () => void; onStarted: () => void }

/** Chooses a change, previews it, and starts it. */
export function BulkActionDialog({ target, onClose, onStarted }: BulkActionDialogProps) {
  const { role } = useStaffRole()
  const [kind, setKind] = useState<BulkAction['kind']>('add-tag')
  const [wanted, setWanted] = useState<{ id: string; action: BulkAction; target: BulkTarget } | null>(null)
  const preview = useChange(adminPreviewBulkActionCall)
  const start = useChange(adminStartBulkActionCall)
  const handleSubmit = submitHandler(preview, (_text, form) => {
    const action = readAction(kind, form)
    // The id makes a second click start nothing.
    preview.mutate({ action, target }, { onSuccess: () => setWanted({ id: crypto.randomUUID(), action, target }) })
  })
  if (wanted && preview.data) {
    const { changing, unchanged, reason, examples } = preview.data
    return (
      <Dialog title={`${kinds[wanted.action.kind]}: ${formatCount(changing, 'member')}`} onClose={onClose}>
        <div className="mt-3 grid gap-3">
          {changing > 0 ? (
            <p className="[overflow-wrap:anywhere]">
              Such as {examples.join(', ')}
              {changing > examples.length ? ', and others' : ''}.
            </p>
          ) : (
            <p>No member would change.</p>
          )}
          {unchanged > 0 && (
            <p className="text-muted">
              Left out: {formatCount(unchanged, 'member')} who {reason}.
            </p>
          )}
          {wanted.action.kind === 'access' && changing > 0 && (
            <p className="text-muted">Each of them gets an email about it.</p>
          )}
          {isFinalAction(wanted.action) && changing > 0 && (
            <p className="text-muted">
              {wanted.action.kind === 'delete'
                ? 'Their subscriptions are canceled, everything about them is deleted, and each of them gets an email about it. This can’t be undone.'
                : ownWords`They get no more drops, news or newsletters, and can subscribe again themselves. This can’t be undone.`}
            </p>
          )}
          <FormError>{formErrorMessage(start.error)}</FormError>
          <div className="mt-2 flex flex-wrap gap-3">
            <Button
              variant={wanted.action.kind === 'delete' ? 'danger' : 'primary'}
              disabled={changing === 0}
              pending={start.isPending}
              onClick={() => start.mutate(wanted, { onSuccess: onStarted })}
            >
              {actionVerbs[wanted.action.kind] ?? 'Change'} {formatCount(changing, 'member')}
            </Button>
            <Button variant="secondary" onClick={() => setWanted(null)}>
              Back
            </Button>
          </div>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="Change members" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <SelectField
          label="What to do"
          value={kind}
          onChange={({ target: { value } }) => setKind(value as BulkAction['kind'])}
        >
          {Object.entries(kinds).map(
            ([value, text]) =>
              (value !== 'delete' || role === 'owner') && (
                <option key={value} value={value}>
                  {text}
                </option>
              ),
          )}
        </SelectField>
        {(kind === 'add-tag' || kind === 'remove-tag') && (
          <TextField label="Tag" name="tag" required maxLength={40} autoComplete="off" autoCapitalize="none" />
        )}
        {kind === 'note' && (
          <TextAreaField
            label="Note"
            hint="Staff see it on each member’s page."
            name="text"
            required
            maxLength={2_000}
            rows={4}
          />
        )}
        {kind === 'access' && (
          <>
            <TextField label="Last day" name="until" type="date" required min={new Date().toISOString().slice(0, 10)} />
            <TextField label="Reason" name="reason" hint="Optional. For you and other staff." maxLength={300} />
          </>
        )}
        <FormError>{formErrorMessage(preview.error)}</FormError>
        <Button type="submit" pending={preview.isPending} className="justify-self-start">
          Preview
        </Button>
      </form>
    </Dialog>
  )
}

function readAction(kind: BulkAction['kind'], form: FormData): BulkAction {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  switch (kind) {
    case 'add-tag':
    case 'remove-tag':
      return { kind, tag: text('tag') }
    case 'note':
      return { kind, text: text('text') }
    case 'unsubscribe':
    case 'delete':
      return { kind }
    case 'access':
      // Includes the whole last day.
      return { kind, until: `${text('until')}T23:59:59.000Z`, reason: text('reason') }
  }
}
