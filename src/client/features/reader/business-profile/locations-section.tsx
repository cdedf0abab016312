import { MapPin, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import type { BusinessLocation, BusinessProfile } from '#shared/contracts/reader/business-profile.ts'
import { maxLocations } from '#shared/domain/business-profile.ts'
import { LocationForm } from './location-form.tsx'
import { useDeleteLocation } from './save-profile.api.ts'

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
          <p>Prompts can’t be filled in for it anymore. Your profile stays as it is.</p>
        </ConfirmDialog>
      )}
    </ItemRow>
  )
}
