import { type SubmitEvent, useState } from 'react'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { CheckField, FormActions, FormError, SelectField, TextField } from '#client/ui/form.tsx'
import { type Deadline, type Deadlines, saveDeadlineCall } from '#shared/contracts/reader/deadlines.ts'
import { maxDeadlineTitle, maxLeadDays, otherKind } from '#shared/domain/deadlines.ts'

type DeadlineDialogProps = Pick<Deadlines, 'kinds' | 'locations'> & {
  /** The one that is edited; null for a new one. */
  deadline: Deadline | null
  /** Id of a new one's kind; empty until it is chosen. */
  kind: string
  onDelete: () => void
  onClose: () => void
}

/** For the dialog, which opens after React would have focused the field. */
const focusFirst = (field: HTMLElement | null) => field?.setAttribute('autofocus', '')

/** Adds or changes a date. A kind brings its name, lead time and whether it returns, which the reader can change. */
export function DeadlineDialog({ deadline, kind, kinds, locations, onDelete, onClose }: DeadlineDialogProps) {
  const [id] = useState(() => deadline?.id ?? crypto.randomUUID())
  const [chosen, setChosen] = useState(deadline?.kind ?? kind)
  const known = kinds.find((each) => each.id === chosen)
  const initial =
    deadline && deadline.kind === chosen
      ? deadline
      : { title: known?.label ?? '', leadDays: 30, yearly: false, ...known }
  const save = useChange(saveDeadlineCall, { done: 'Saved', onSuccess: onClose })
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name) ?? '')
    const given = {
      title: text('title'),
      dueOn: text('due'),
      leadDays: Number(text('lead')),
      yearly: fields.has('yearly'),
    }
    save.mutate({ id, kind: chosen, ...given, locationId: text('location') || null, done: deadline?.done ?? false })
  }
  return (
    <Dialog title={deadline ? 'Edit deadline' : 'Add a deadline'} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-5 grid gap-4">
        <SelectField
          label="Kind"
          required
          ref={kind === '' ? focusFirst : undefined}
          value={known || chosen === '' ? chosen : otherKind}
          onChange={({ target }) => setChosen(target.value)}
          options={[...kinds.map((each) => [each.id, each.label] as const), [otherKind, 'Something else']]}
        >
          <option value="" disabled>
            Choose a kind
          </option>
        </SelectField>
        <TextField
          key={`title ${chosen}`}
          label="What is due"
          name="title"
          required
          maxLength={maxDeadlineTitle}
          autoComplete="off"
          defaultValue={initial.title}
        />
        {locations.length > 0 && (
          <SelectField
            label="Store"
            name="location"
            defaultValue={deadline?.locationId ?? ''}
            options={[['', 'The whole business'], ...locations.map((each) => [each.id, each.name] as const)]}
          />
        )}
        <TextField
          type="date"
          name="due"
          label="Date"
          required
          ref={kind === '' ? undefined : focusFirst}
          min="2000-01-01"
          max="2099-12-31"
          defaultValue={deadline?.dueOn}
        />
        <TextField
          key={`lead ${chosen}`}
          type="number"
          name="lead"
          label="Days before it to remind you"
          hint="And again a week before, if that is later."
          required
          min={0}
          max={maxLeadDays}
          defaultValue={initial.leadDays}
        />
        <CheckField key={`yearly ${chosen}`} name="yearly" label="Returns every year" defaultChecked={initial.yearly} />
        <FormError>{formErrorMessage(save.error)}</FormError>
        <FormActions action="Save" pending={save.isPending} onCancel={onClose}>
          {deadline && (
            <Button variant="secondary" onClick={onDelete}>
              Delete
            </Button>
          )}
        </FormActions>
      </form>
    </Dialog>
  )
}
