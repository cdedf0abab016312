import { useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useId } from 'react'
import { Link, useNavigate } from 'react-router'
import { inputStyles } from '#client/ui/input-styles.ts'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { adminUsersQuery } from './admin-users.api.ts'
import { UserRow } from './user-row.tsx'

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
