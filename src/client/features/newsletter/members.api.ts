import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { adminUsersCall } from '#shared/contracts/admin-users.ts'

/** As many as a list of suggestions shows. */
const offered = 8

/** Members whose address fits. While another search is under way the last result stays. */
export const membersQuery = (search: string) =>
  queryOptions({
    queryKey: ['admin-users', 'picker', search],
    queryFn: ({ signal }) => invoke(adminUsersCall, { search, limit: offered }, signal),
    placeholderData: keepPreviousData,
  })
