import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { adminUsersQuery } from './admin-users.api.ts'
import { UserListSkeleton } from './user-list.tsx'
import { UserRow } from './user-row.tsx'

const maxShown = 10

/** The newest users, with a link to all of them. */
export function NewestUsers() {
  const query = useInfiniteQuery(adminUsersQuery(''))
  const { data } = query
  const titleId = useId()
  const users = data?.pages[0]?.users.slice(0, maxShown) ?? []
  return (
    <section aria-labelledby={titleId} className="mt-12">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-1 border-b-2 border-ink pb-1">
        <div>
          <h2 id={titleId} className="display text-2xl">
            All Users
          </h2>
          <p className="text-sm text-muted">The newest {maxShown}</p>
        </div>
        <Link to="/admin/members" className="text-link inline-flex min-h-11 items-center font-semibold">
          All members
        </Link>
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
