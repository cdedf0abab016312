import { useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { adminUsersQuery } from './admin-users.api.ts'
import { resultText } from './search-result-text.ts'
import { UserRow } from './user-row.tsx'

const typingPauseMs = 250

/** All users, newest first, with a search that runs when typing pauses. */
export function UserList({ initialSearch }: { initialSearch: string }) {
  const [typed, setTyped] = useState(initialSearch)
  const search = useDebounced(typed.trim(), typingPauseMs)
  const list = useInfiniteQuery(adminUsersQuery(search))
  const inputId = useId()
  const titleId = useId()
  const users = list.data?.pages.flatMap((page) => page.users) ?? []

  return (
    <section aria-labelledby={titleId} className="mt-12">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-b-2 border-ink pb-3">
        <div>
          <h2 id={titleId} className="display text-2xl">
            All Users
          </h2>
          <p role="status" className="min-h-6 text-sm text-muted tabular-nums">
            {list.data && !list.isPlaceholderData && resultText(users.length, list.hasNextPage, search)}
          </p>
        </div>
        <div className="relative w-full sm:w-72">
          <label htmlFor={inputId} className="sr-only">
            Search by email
          </label>
          <Search
            aria-hidden
            className="pointer-events-none absolute top-3 left-3 size-5 text-muted"
            strokeWidth={1.75}
          />
          <input
            id={inputId}
            type="search"
            placeholder="Search by email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            className={`${inputStyles} pl-10`}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      </div>
      <InfiniteList
        query={list}
        what="the users"
        skeleton={<UserListSkeleton />}
        empty={users.length > 0 ? null : search ? 'No matching addresses. Try fewer characters.' : 'No users yet.'}
      >
        <ul aria-label="All users" aria-busy={list.isPlaceholderData}>
          {users.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </ul>
      </InfiniteList>
    </section>
  )
}

export function UserListSkeleton() {
  return (
    <div>
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <div
          key={row}
          className="grid gap-x-8 gap-y-2 border-b border-line py-3 md:grid-cols-[minmax(0,5fr)_7rem_minmax(0,9fr)]"
        >
          <SkeletonText lines={1} className="max-w-64" />
          <SkeletonText lines={1} className="w-24" />
          <SkeletonText lines={4} className="max-w-96" />
        </div>
      ))}
    </div>
  )
}
