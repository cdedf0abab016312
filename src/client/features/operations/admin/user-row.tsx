import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import type { AdminUser } from '#shared/contracts/operations/admin-users.ts'
import type { StoredPreferences } from '#shared/contracts/reader/preferences.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import { questionName } from '#shared/domain/questions.ts'

export function UserRow({ user }: { user: AdminUser }) {
  return (
    <li className="grid gap-x-8 gap-y-0.5 border-b border-line py-3 md:grid-cols-[minmax(0,5fr)_7rem_minmax(0,9fr)]">
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
      {focus_areas.length > 0 && (
        <>
          <dt className="text-muted">{questionName(publication, 'focusAreas')}</dt>
          <dd>{optionLabels(publication, 'focusAreas', focus_areas).join(', ')}</dd>
        </>
      )}
      {ai_level && (
        <>
          <dt className="text-muted">{questionName(publication, 'aiLevel')}</dt>
          <dd>{optionLabel(publication, 'aiLevel', ai_level)}</dd>
        </>
      )}
      {goals.length > 0 && (
        <>
          <dt className="text-muted">{questionName(publication, 'goals')}</dt>
          <dd>{optionLabels(publication, 'goals', goals).join(', ')}</dd>
        </>
      )}
      {franchise_type && (
        <>
          <dt className="text-muted">{questionName(publication, 'franchiseType')}</dt>
          <dd>{optionLabel(publication, 'franchiseType', franchise_type)}</dd>
        </>
      )}
    </dl>
  )
}
