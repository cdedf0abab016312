import type { ReactNode } from 'react'
import { OptionList, SelectField, TextAreaField, TextField } from '#client/ui/form.tsx'
import type { Assignment, AssignmentTarget, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { maxAssignmentNote } from '#shared/domain/assignments.ts'

type AssignmentFieldsProps = Pick<TeamAssignments, 'people' | 'locations'> & {
  /** The one that is edited. */
  assignment?: Assignment
}

/** Dialogs open before their form is there. */
const focus = (field: HTMLSelectElement | null) => field?.focus()

/** Person or location, due date and note, read by `readAssignmentFields`. */
export function AssignmentFields({ people, locations, assignment }: AssignmentFieldsProps) {
  const current = assignment ? optionValue(assignment.to, assignment.toId) : ''
  const isListed = [...people.map(({ userId }) => userId), ...locations.map(({ id }) => id)].includes(
    assignment?.toId ?? '',
  )
  return (
    <>
      <SelectField label="For" name="to" required ref={focus} defaultValue={current}>
        {assignment ? (
          !isListed && <option value={current}>{nameOf(assignment)}</option>
        ) : (
          <option value="" disabled>
            Choose a person or a location
          </option>
        )}
        <TargetOptions people={people} locations={locations}>
          {!assignment && people.length > 2 && <option value={others}>Everyone else on the team</option>}
        </TargetOptions>
      </SelectField>
      <TextField
        type="date"
        name="due"
        label="Due date (optional)"
        min="2020-01-01"
        max="2100-12-31"
        defaultValue={assignment?.dueOn ?? ''}
      />
      <TextAreaField
        label="Note (optional)"
        name="note"
        rows={2}
        maxLength={maxAssignmentNote}
        defaultValue={assignment?.note}
        className="py-2.5"
      />
    </>
  )
}

type TargetOptionsProps = Pick<TeamAssignments, 'people' | 'locations'> & { children?: ReactNode }

/** People and locations of a select, read by `readTarget`. */
export const TargetOptions = ({ people, locations, children }: TargetOptionsProps) => (
  <>
    <optgroup label="People">
      <OptionList
        of={people.map(({ userId, email, isYou }) => [optionValue('person', userId), isYou ? `${email} (you)` : email])}
      />
      {children}
    </optgroup>
    {locations.length > 0 && (
      <optgroup label="Locations">
        <OptionList of={locations.map(({ id, name }) => [optionValue('location', id), name])} />
      </optgroup>
    )}
  </>
)

const gone = 'gone'
/** Everyone on the team but the reader. */
const others = 'others'
const optionValue = (to: Assignment['to'], id: string | null) => (id ? `${to}/${id}` : gone)

function nameOf({ to, toName, hasLeft }: Assignment): string {
  if (!toName) return to === 'person' ? 'A former member' : 'A deleted location'
  return hasLeft ? `${toName} (left the team)` : toName
}

/** Whom the form assigns to: one person or location, or everyone else on the team. */
export function readTargets(form: HTMLFormElement, people: TeamAssignments['people']): AssignmentTarget[] {
  if (new FormData(form).get('to') === others) {
    return people.filter(({ isYou }) => !isYou).map(({ userId }) => ({ userId }))
  }
  const { to } = readAssignmentFields(form)
  return to ? [to] : []
}

/** Null for a person or location that is gone, and without the field. */
export function readTarget(form: HTMLFormElement): AssignmentTarget | null {
  const [kind, id] = String(new FormData(form).get('to')).split('/')
  if (!id) return null
  return kind === 'person' ? { userId: id } : { locationId: id }
}

export function readAssignmentFields(form: HTMLFormElement) {
  const fields = new FormData(form)
  return { to: readTarget(form), dueOn: String(fields.get('due')) || null, note: String(fields.get('note')).trim() }
}
