import { useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { CheckField, InlineError, SelectField, TextField } from '#client/ui/form.tsx'
import { Disclosure, Section } from '#client/ui/page-parts.tsx'
import { ShowMore, usePages } from '#client/ui/use-pages.tsx'
import type { TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { useTieSeat } from './assignments.api.ts'

type Person = TeamAssignments['people'][number]
type SeatLocationsProps = Pick<TeamAssignments, 'people' | 'locations'>

/** Longer lists can be filtered and sorted. */
const maxUnfiltered = 10
/** With more locations, each person's are folded. */
const maxUnfolded = 6

/** For owners: which member belongs to which location. Each choice is saved at once. */
export function SeatLocations({ people, locations }: SeatLocationsProps) {
  const members = people.filter(({ isYou }) => !isYou)
  const [search, setSearch] = useState('')
  /** The id of a location, or `none` for people without one. */
  const [place, setPlace] = useState('')
  const [order, setOrder] = useState<'joined' | 'address' | 'location'>('joined')
  /** Stays in the list after a change that the filter excludes. */
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const namesOf = ({ locationIds }: Person) =>
    locations.filter(({ id }) => locationIds.includes(id)).map(({ name }) => name)
  const fits = (person: Person) =>
    changed.has(person.userId) ||
    place === '' ||
    (place === 'none' ? namesOf(person).length === 0 : person.locationIds.includes(place))
  const found = members.filter((person) => person.email.includes(search.trim().toLowerCase()) && fits(person))
  const sorted =
    order === 'joined'
      ? found
      : found.toSorted((a, b) => {
          const byPlace = order === 'location' ? (namesOf(a)[0] ?? '').localeCompare(namesOf(b)[0] ?? '') : 0
          return byPlace || a.email.localeCompare(b.email)
        })
  const { shown, hidden, showMore, ...pages } = usePages(sorted)
  const restart = () => {
    pages.restart()
    setChanged(new Set())
  }
  if (members.length === 0 || locations.length === 0) return null

  return (
    <Section
      title="Who works where"
      lede="Members see what is assigned to their locations, and can fill in prompts for them."
    >
      {members.length > maxUnfiltered && (
        <div className="mb-6 grid gap-x-5 gap-y-4 sm:grid-cols-3">
          <TextField
            label="Search by email"
            type="search"
            autoComplete="off"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              restart()
            }}
          />
          <SelectField
            label="Works at"
            value={place}
            onChange={(event) => {
              setPlace(event.target.value)
              restart()
            }}
            options={locations.map(({ id, name }) => [id, name])}
          >
            <option value="">Any location</option>
            <option value="none">No location yet</option>
          </SelectField>
          <SelectField
            label="Sort people by"
            value={order}
            onChange={(event) => setOrder(event.target.value as typeof order)}
            options={{ joined: 'When they joined', address: 'Email address', location: 'Location' }}
          />
          <p role="status" className="text-muted sm:col-span-3">
            {found.length} of {members.length} members
          </p>
        </div>
      )}
      <div className="grid gap-6">
        {shown.map((person) => (
          <Ties
            key={person.userId}
            person={person}
            locations={locations}
            onChange={() => setChanged((all) => new Set([...all, person.userId]))}
          />
        ))}
      </div>
      <ShowMore hidden={hidden} what="people" onClick={showMore} />
    </Section>
  )
}

type TiesProps = { person: Person; locations: TeamAssignments['locations']; onChange: () => void }

function Ties({ person: { userId, email, locationIds }, locations, onChange }: TiesProps) {
  const tie = useTieSeat()
  const shown = tie.isPending ? tie.variables.locationIds : locationIds
  const set = (id: string, isTied: boolean) => {
    const others = shown.filter((each) => each !== id)
    onChange()
    tie.mutate({ userId, locationIds: isTied ? [...others, id] : others })
  }
  const choices = (
    <div className="mt-1 flex flex-wrap gap-x-6">
      {locations.map(({ id, name }) => (
        <CheckField
          key={id}
          label={<span className="[overflow-wrap:anywhere]">{name}</span>}
          checked={shown.includes(id)}
          onChange={({ target }) => set(id, target.checked)}
        />
      ))}
    </div>
  )
  const names = locations.filter(({ id }) => shown.includes(id)).map(({ name }) => name)
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold [overflow-wrap:anywhere]">{email}</legend>
      {locations.length > maxUnfolded ? (
        <Disclosure
          summary={
            <span className="min-w-0 font-normal [overflow-wrap:anywhere]">
              {names.join(', ') || 'No location yet'}
            </span>
          }
        >
          {choices}
        </Disclosure>
      ) : (
        choices
      )}
      <InlineError>{formErrorMessage(tie.error)}</InlineError>
    </fieldset>
  )
}
