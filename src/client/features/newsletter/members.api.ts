import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminUsersCall } from '#shared/contracts/admin-users.ts'

/** Number of suggestions. */
const maxSuggestions = 8

/** Members whose address matches. The previous result stays while a new search loads. */
export const membersQuery = (search: string) =>
  queryOptions({
    queryKey: ['admin-users', 'picker', search],
    queryFn: ({ signal }) => invoke(adminUsersCall, { search, limit: maxSuggestions }, signal),
    placeholderData: keepPreviousData,
  })
