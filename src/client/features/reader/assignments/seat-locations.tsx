import { formErrorMessage } from '#client/lib/error-message.ts'
import { InlineError } from '#client/ui/form-error.tsx'
import { Section } from '#client/ui/section.tsx'
import type { TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { useTieSeat } from './assignments.api.ts'

/** For owners: which member belongs to which location. Each choice is saved at once. */
export function SeatLocations({ people, locations }: Pick<TeamAssignments, 'people' | 'locations'>) {
  const members = people.filter(({ isYou }) => !isYou)
  if (members.length === 0 || locations.length === 0) return null
  return (
    <Section
      title="Who works where"
      lede="Members see what is assigned to their locations, and can fill in prompts for them."
    >
      <div className="grid gap-6">
        {members.map((person) => (
          <Ties key={person.userId} person={person} locations={locations} />
        ))}
      </div>
    </Section>
  )
}

type TiesProps = { person: TeamAssignments['people'][number]; locations: TeamAssignments['locations'] }

function Ties({ person: { userId, email, locationIds }, locations }: TiesProps) {
  const tie = useTieSeat()
  const shown = tie.isPending ? tie.variables.locationIds : locationIds
  const set = (id: string, isTied: boolean) => {
    const others = shown.filter((each) => each !== id)
    tie.mutate({ userId, locationIds: isTied ? [...others, id] : others })
  }
  return (
    <fieldset>
      <legend className="font-semibold [overflow-wrap:anywhere]">{email}</legend>
      <div className="mt-1 flex flex-wrap gap-x-6">
        {locations.map(({ id, name }) => (
          <label key={id} className="flex min-h-11 items-center gap-2.5 [overflow-wrap:anywhere]">
            <input
              type="checkbox"
              className="size-5 shrink-0"
              checked={shown.includes(id)}
              onChange={({ target }) => set(id, target.checked)}
            />
            {name}
          </label>
        ))}
      </div>
      <InlineError>{formErrorMessage(tie.error)}</InlineError>
    </fieldset>
  )
}
