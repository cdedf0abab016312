import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminUsersCall } from '#shared/contracts/operations/admin-users.ts'

const pageSize = 50

/** Newest users first. The previous result stays while a new search loads. */
export const adminUsersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['admin-users', search],
    queryFn: ({ pageParam, signal }) =>
      invoke(adminUsersCall, { search: search || null, cursor: pageParam, limit: pageSize }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })
