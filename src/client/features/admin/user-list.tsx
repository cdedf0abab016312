import { useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { Button } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/field.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { adminUsersQuery } from './admin-users.api.ts'
import { resultText } from './result-text.ts'
import { UserRow } from './user-row.tsx'

const typingPauseMs = 250

/** All users, newest first, with a search that waits for a pause in typing and never loses what was typed. */
export function UserList() {
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), typingPauseMs)
  const { data, isPending, isError, isPlaceholderData, isFetchingNextPage, hasNextPage, fetchNextPage } =
    useInfiniteQuery(adminUsersQuery(search))
  const inputId = useId()
  const titleId = useId()
  const users = data?.pages.flatMap((page) => page.users) ?? []

  return (
    <section aria-labelledby={titleId} className="mt-12">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-b-2 border-ink pb-3">
        <div>
          <h2 id={titleId} className="display text-2xl">
            All Users
          </h2>
          <p role="status" className="min-h-6 text-sm text-muted tabular-nums">
            {data && !isPlaceholderData && resultText(users.length, hasNextPage, search)}
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
      {isPending ? (
        <LoadingPlaceholder>
          <UserListSkeleton />
        </LoadingPlaceholder>
      ) : (
        <ul aria-label="All users" aria-busy={isPlaceholderData}>
          {users.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </ul>
      )}
      {data && users.length === 0 && !isError && (
        <p className="border-b border-line py-8 text-muted">
          {search ? 'No address fits. Try a shorter part of it.' : 'Nobody has signed up yet.'}
        </p>
      )}
      {hasNextPage && (
        <Button
          variant="secondary"
          className="mt-6"
          pending={isFetchingNextPage}
          onClick={() => void fetchNextPage({ cancelRefetch: false })}
        >
          Load more
        </Button>
      )}
    </section>
  )
}

function UserListSkeleton() {
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
