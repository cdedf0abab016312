import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useId } from 'react'
import { Link, useNavigate } from 'react-router'
import { callQuery } from '#client/lib/calls.ts'
import { publication } from '#client/lib/publication.ts'
import { inputStyles } from '#client/ui/input-styles.ts'
import { LoadError, LoadingPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { type AdminUser, adminUsersCall } from '#shared/contracts/operations/admin-users.ts'
import type { StoredPreferences } from '#shared/contracts/reader/preferences.ts'
import { formatDay } from '#shared/domain/format.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import { questionName } from '#shared/domain/questions.ts'

const maxShown = 10

export const newestUsersQuery = callQuery(['admin-users'], adminUsersCall, { limit: maxShown })

function UserListSkeleton() {
  return (
    <div>
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <div
          key={row}
          className="grid gap-x-8 gap-y-0.5 border-b border-line py-3 md:grid-cols-[minmax(0,5fr)_7rem_minmax(0,9fr)]"
        >
          <SkeletonText lines={1} className="max-w-64" />
          <SkeletonText lines={1} className="w-24" />
          <SkeletonText lines={4} className="max-w-96" />
        </div>
      ))}
    </div>
  )
}

/** The newest users, with a link to all of them. */
export function NewestUsers() {
  const query = useQuery(newestUsersQuery)
  const { data } = query
  const titleId = useId()
  const users = data?.users ?? []
  return (
    <section aria-labelledby={titleId} className="mt-12">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-1 border-b-2 border-ink pb-1">
        <div>
          <h2 id={titleId} className="display text-2xl">
            All Users
          </h2>
          <p className="text-sm text-muted">The newest {maxShown}</p>
        </div>
        <div className="flex w-full flex-wrap items-center gap-x-6 pb-2 sm:w-auto">
          <Link to="/admin/members" className="text-link inline-flex min-h-11 items-center font-semibold">
            All members
          </Link>
          <MemberSearch />
        </div>
      </div>
      {query.isError && !data ? (
        <LoadError what="the users" query={query} />
      ) : data ? (
        <ul aria-label="All users">
          {users.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </ul>
      ) : (
        <LoadingPlaceholder>
          <UserListSkeleton />
        </LoadingPlaceholder>
      )}
    </section>
  )
}

/** Searches all members on their page. */
function MemberSearch() {
  const navigate = useNavigate()
  return (
    <search className="w-full sm:w-64">
      <form
        className="relative"
        action={(data) => {
          const search = String(data.get('search')).trim()
          if (search) navigate(`/admin/members?search=${encodeURIComponent(search)}`)
        }}
      >
        <Search
          aria-hidden
          className="pointer-events-none absolute top-3 left-3 size-5 text-muted"
          strokeWidth={1.75}
        />
        <input
          type="search"
          name="search"
          aria-label="Find a member"
          placeholder="Find a member"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          className={`${inputStyles} pl-10`}
        />
      </form>
    </search>
  )
}

function UserRow({ user }: { user: AdminUser }) {
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
