import { Link } from 'react-router'
import type { AdminUser } from '#shared/contracts/operations/admin-users.ts'
import type { StoredPreferences } from '#shared/contracts/reader/preferences.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { aiLevelLabels } from '#shared/domain/preferences.ts'

export function UserRow({ user }: { user: AdminUser }) {
  return (
    <li className="grid gap-x-8 gap-y-2 border-b border-line py-3 md:grid-cols-[minmax(0,5fr)_7rem_minmax(0,9fr)]">
      <p className="font-semibold [overflow-wrap:anywhere]">
        <Link to={`/admin/members/${user.id}`} className="text-link">
          {user.email || 'No address'}
        </Link>
      </p>
      <p className="text-sm leading-6 text-muted tabular-nums">
        <span className="md:sr-only">Joined </span>
        <time dateTime={user.created_at}>{formatDay(user.created_at)}</time>
      </p>
      {user.preferences ? (
        <Preferences preferences={user.preferences} />
      ) : (
        <p className="text-sm leading-6 text-muted">No preferences set</p>
      )}
    </li>
  )
}

function Preferences({ preferences }: { preferences: StoredPreferences }) {
  const { focus_areas, ai_level, goals, franchise_type } = preferences
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 text-sm leading-6">
      <dt className="text-muted">Focus areas</dt>
      <dd>{focus_areas.join(', ')}</dd>
      <dt className="text-muted">AI level</dt>
      <dd>{aiLevelLabels[ai_level].title}</dd>
      {goals.length > 0 && (
        <>
          <dt className="text-muted">Goals</dt>
          <dd>{goals.join(', ')}</dd>
        </>
      )}
      {franchise_type && (
        <>
          <dt className="text-muted">Franchise type</dt>
          <dd>{franchise_type}</dd>
        </>
      )}
    </dl>
  )
}
