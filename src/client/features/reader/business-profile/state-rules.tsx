import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { StateRuleGroup } from '#shared/contracts/library/item-notes.ts'
import type { BusinessProfile } from '#shared/contracts/reader/business-profile.ts'
import type { Values } from '#shared/domain/business-profile.ts'
import { formatDay, formatList } from '#shared/domain/format.ts'
import { stateCodes, stateName, statesIn } from '#shared/domain/us-states.ts'
import { businessProfileQuery } from './business-profile.api.ts'

/** The field for the state counts; without it, states are read from the texts that name a place. */
const statesOf = ({ state, city, area, territory }: Values) =>
  [state, city, area, territory].map((text) => statesIn(text ?? '')).find((found) => found.length > 0) ?? []

/** States of a reader's stores, or of the profile without stores that name one. */
const statesOfProfile = ({ locations, values }: BusinessProfile) => {
  const found = locations.flatMap((location) => statesOf(location.values))
  return stateCodes.filter((code) => (found.length > 0 ? found : statesOf(values)).includes(code))
}

/** The rows that concern the states of the reader's stores, each with its source. Asks for the state if it isn't known. */
export function StateRules({ groups }: { groups: readonly StateRuleGroup[] }) {
  const { data: profile } = useQuery(businessProfileQuery)
  if (!profile) return null
  const states = statesOfProfile(profile)
  const shown = groups
    .map((group) => ({ ...group, rows: group.rows.filter((row) => isFor(row.states, states)) }))
    .filter(({ rows }) => rows.length > 0)
  const named = new Set(shown.flatMap(({ rows }) => rows.flatMap((row) => row.states)))
  const missing = states.filter((code) => !named.has(code)).map(stateName)
  return (
    <div className="text-base">
      {states.length === 0 && (
        <p className="mt-2">
          Add the state of your stores to{' '}
          <Link to="/account/business" className="text-link">
            your business profile
          </Link>{' '}
          to see its rules here.
        </p>
      )}
      {shown.map(({ title, rows }) => (
        <div key={title} className="mt-3">
          <h3 className="font-semibold">{title}</h3>
          <dl>
            {rows.map(({ name, text, source, checkedOn }) => (
              <div key={text} className="border-t border-line py-2 first:border-0">
                <dt className="text-sm font-semibold">{name}</dt>
                <dd>
                  {text}{' '}
                  <span className="text-sm text-muted">
                    Source:{' '}
                    <a href={source} target="_blank" rel="noopener noreferrer" className="text-link">
                      {new URL(source).hostname}
                    </a>
                    , read {formatDay(checkedOn)}.
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      <p className="mt-2 text-sm text-muted">
        {missing.length > 0 && `We list nothing for ${formatList(missing)}, which doesn’t mean that there is no rule. `}
        Ask counsel before you act on a rule. No lawyer has read this list.{' '}
        <Link to="/portal/pages/state-rules" className="text-link">
          All states
        </Link>
      </p>
    </div>
  )
}

const isFor = (of: readonly string[], states: readonly string[]) =>
  of.includes('US') || of.some((state) => states.includes(state))
