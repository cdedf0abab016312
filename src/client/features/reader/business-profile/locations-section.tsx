import { MapPin, Users } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { useUnsavedChanges } from '#client/lib/use-leave-blocker.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { FormActions, InlineError, SelectField, TextField } from '#client/ui/form.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import type { BusinessLocation, BusinessProfile } from '#shared/contracts/reader/business-profile.ts'
import {
  changesBetweenValues,
  cleanText,
  type LocationVariable,
  locationVariables,
  maxLocationNameLength,
  maxLocations,
  usualLocationVariables,
  type Values,
} from '#shared/domain/business-profile.ts'
import { variables } from '#shared/domain/variables.ts'
import { useDeleteLocation, useSaveLocation } from './business-profile.api.ts'
import { conflictOf, conflictText } from './conflicts.ts'
import { ValueField } from './value-field.tsx'

type LocationsSectionProps = {
  profile: BusinessProfile
  /** True for owners of a team, who can let its members use a location. */
  canShare: boolean
}

/** Fields that differ from one location to another. */
export function LocationsSection({ profile, canShare }: LocationsSectionProps) {
  const [addedId, setAddedId] = useState<string | null>(null)
  const addButton = useFocusWhenShown()
  const own = profile.locations.filter(({ mine }) => mine)
  const shared = profile.locations.filter(({ mine }) => !mine)
  return (
    <Section
      title="Locations"
      status={own.length > 0 ? `${own.length} of ${maxLocations}` : undefined}
      lede={
        own.length > 0
          ? 'Choose one above any prompt. Details that a location leaves empty come from your profile.'
          : 'Have more than one store? Add each one with what’s different there: city, hours, who decides. Then choose a store above any prompt.'
      }
    >
      {own.length > 0 && (
        <ItemList label="Locations">
          {own.map((location) => (
            <LocationRow key={location.id} location={location} profile={profile} canShare={canShare} />
          ))}
        </ItemList>
      )}
      {addedId ? (
        <div className="mt-4">
          <Panel label="New location">
            <LocationForm
              id={addedId}
              saved={null}
              profile={profile}
              canShare={canShare}
              onDone={() => {
                addButton.focusWhenShown()
                setAddedId(null)
              }}
            />
          </Panel>
        </div>
      ) : (
        own.length < maxLocations && (
          <Button
            ref={addButton.ref}
            variant="secondary"
            className={own.length > 0 ? 'mt-4' : ''}
            onClick={() => setAddedId(crypto.randomUUID())}
          >
            Add a location
          </Button>
        )
      )}
      {shared.length > 0 && (
        <div className="mt-8">
          <h4 className="font-semibold">Shared by your team’s owner</h4>
          <p className="mt-1 text-sm text-muted">You can choose these above any prompt. Only the owner changes them.</p>
          <div className="mt-3">
            <ItemList label="Shared locations">
              {shared.map((location) => (
                <ItemRow key={location.id} icon={Users} title={location.name} facts={factsOf(location)} />
              ))}
            </ItemList>
          </div>
        </div>
      )}
    </Section>
  )
}

function factsOf({ values }: BusinessLocation): string {
  const count = Object.keys(values).length
  const differs = count === 0 ? 'Same as your profile' : `${count} ${count === 1 ? 'detail' : 'details'} of its own`
  return [values.city, differs].filter(Boolean).join(' · ')
}

type LocationRowProps = LocationsSectionProps & { location: BusinessLocation }

function LocationRow({ location, profile, canShare }: LocationRowProps) {
  const [isEditing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const [isConfirming, setConfirming] = useState(false)
  const remove = useDeleteLocation()
  const { id, name, shared } = location
  return (
    <ItemRow
      icon={MapPin}
      title={
        <>
          {name}
          {shared && <Tag>Shared with your team</Tag>}
        </>
      }
      facts={factsOf(location)}
      actions={
        <>
          <Button
            ref={editButton}
            variant="quiet"
            size="sm"
            aria-expanded={isEditing}
            onClick={() => setEditing(!isEditing)}
          >
            Edit<span className="sr-only"> {name}</span>
          </Button>
          <Button variant="quiet" size="sm" pending={remove.isPending} onClick={() => setConfirming(true)}>
            Delete<span className="sr-only"> {name}</span>
          </Button>
        </>
      }
    >
      <InlineError>{formErrorMessage(remove.error)}</InlineError>
      {isEditing && (
        <Panel label={`Edit ${name}`}>
          <LocationForm
            id={id}
            saved={location}
            profile={profile}
            canShare={canShare}
            onDone={() => {
              setEditing(false)
              editButton.current?.focus()
            }}
          />
        </Panel>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete"
          onConfirm={() => remove.mutate(id)}
          onClose={() => setConfirming(false)}
        >
          <p>
            Prompts can’t be filled in for it anymore, and its deadlines are deleted, too. Your profile stays as it is.
          </p>
        </ConfirmDialog>
      )}
    </ItemRow>
  )
}

type LocationFormProps = {
  /** New ones get their id here, so that saving twice adds one. */
  id: string
  saved: BusinessLocation | null
  profile: BusinessProfile
  canShare: boolean
  onDone: () => void
}

/** The usual differences first; any other variable of the profile can be added. */
function LocationForm({ id, saved, profile, canShare, onDone }: LocationFormProps) {
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
        <SelectField
          label="Add another difference"
          value=""
          onChange={({ target }) => setAdded([...added, ...others.filter((other) => other === target.value)])}
          options={others.map((other) => [other, variables[other].label])}
        >
          <option value="">Choose a detail</option>
        </SelectField>
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
      <FormActions action="Save location" change={save} onCancel={onDone} />
    </form>
  )
}
