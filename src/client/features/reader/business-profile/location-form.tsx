import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { useUnsavedChanges } from '#client/lib/use-leave-blocker.ts'
import { Choice } from '#client/ui/choice.tsx'
import { Field, TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import type { BusinessLocation, BusinessProfile } from '#shared/contracts/reader/business-profile.ts'
import {
  changesBetweenValues,
  cleanText,
  type LocationVariable,
  locationVariables,
  maxLocationNameLength,
  usualLocationVariables,
  type Values,
} from '#shared/domain/business-profile.ts'
import { variables } from '#shared/domain/variables.ts'
import { conflictOf, conflictText } from './conflicts.ts'
import { useSaveLocation } from './save-profile.api.ts'
import { ValueField } from './value-field.tsx'

type LocationFormProps = {
  /** New ones get their id here, so that saving twice adds one. */
  id: string
  saved: BusinessLocation | null
  profile: BusinessProfile
  canShare: boolean
  onDone: () => void
}

/** The usual differences first; any other variable of the profile can be added. */
export function LocationForm({ id, saved, profile, canShare, onDone }: LocationFormProps) {
  const [base, setBase] = useState<{ name: string; values: Values<LocationVariable> }>(
    saved ?? { name: '', values: {} },
  )
  const [name, setName] = useState(base.name)
  const [values, setValues] = useState(base.values)
  const [shared, setShared] = useState(saved?.shared ?? false)
  const [added, setAdded] = useState<readonly LocationVariable[]>([])
  const [conflicts, setConflicts] = useState<readonly string[]>([])
  const save = useSaveLocation()
  const isShown = (variable: LocationVariable) =>
    usualLocationVariables.some((usual) => usual === variable) ||
    Boolean(base.values[variable]) ||
    added.includes(variable)
  const others = locationVariables.filter((variable) => !isShown(variable))
  const changes = changesBetweenValues(locationVariables, base.values, values)
  const isRenamed = name.trim() !== base.name
  useUnsavedChanges(isRenamed || shared !== (saved?.shared ?? false) || Object.keys(changes).length > 0)

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    save.mutate(
      { id, changes, ...(isRenamed && { name: { from: base.name, to: name } }), ...(canShare && { shared }) },
      {
        onSuccess: ({ location }) => {
          toast.success(`${location.name} was saved`, { id: 'location' })
          onDone()
        },
        onError: (error) => {
          const conflict = conflictOf(error)
          if (!conflict) return
          const { name: theirName = '', ...theirs } = conflict.values
          setBase({ name: theirName, values: theirs })
          if (!isRenamed) setName(theirName)
          const mine = Object.fromEntries(
            Object.keys(changes).map((key) => [key, values[key as LocationVariable] ?? '']),
          )
          setValues({ ...theirs, ...mine })
          setConflicts(conflict.conflicts)
        },
      },
    )
  }

  return (
    <form onSubmit={handleSubmit} className="grid max-w-xl gap-5">
      <TextField
        label="Name"
        hint="Fills in the store’s name in prompts. For example: Harbor Street store"
        required
        maxLength={maxLocationNameLength}
        autoComplete="off"
        autoFocus={!saved}
        value={name}
        error={conflicts.includes('name') ? conflictText(base.name) : undefined}
        onChange={({ target }) => setName(cleanText(target.value, 'store_name'))}
      />
      {locationVariables.filter(isShown).map((variable) => (
        <ValueField
          key={variable}
          name={variable}
          value={values[variable] ?? ''}
          fallback={profile.values[variable]}
          error={conflicts.includes(variable) ? conflictText(base.values[variable]) : undefined}
          onChange={(value) => setValues({ ...values, [variable]: cleanText(value, variable) })}
        />
      ))}
      {others.length > 0 && (
        <Field label="Add another difference">
          {(control) => (
            <select
              {...control}
              className={inputStyles}
              value=""
              onChange={({ target }) => setAdded([...added, ...others.filter((other) => other === target.value)])}
            >
              <option value="">Choose a detail</option>
              {others.map((other) => (
                <option key={other} value={other}>
                  {variables[other].label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {canShare && (
        <Choice
          type="checkbox"
          label="My team may use this location"
          description="Members can fill in prompts for it. Only you can change it."
          checked={shared}
          onChange={({ target }) => setShared(target.checked)}
        />
      )}
      <FormError>{formErrorMessage(save.error)}</FormError>
      <FormActions action="Save location" pending={save.isPending} onCancel={onDone} />
    </form>
  )
}
