import { queryOptions, useQuery } from '@tanstack/react-query'
import { authorizedFetch, readAccessToken } from '#client/lib/authorized-fetch.ts'
import { readCallError } from '#client/lib/call-error.ts'
import { useSession } from '#client/lib/session.ts'

/** Only for display. The server checks the role itself on every admin call. */
export const isAdminQuery = (userId: string) =>
  queryOptions({
    queryKey: ['is-admin', userId],
    queryFn: async ({ signal }) => {
      const path = `/rest/v1/user_roles?select=role&user_id=eq.${userId}`
      const response = await authorizedFetch(path, { signal }, await readAccessToken())
      if (!response.ok) throw await readCallError(response)
      const rows = (await response.json()) as { role?: unknown }[]
      return rows[0]?.role === 'admin'
    },
    staleTime: 5 * 60_000,
    meta: { failureNote: 'The role check failed; treated as not admin' },
  })

export function useIsAdmin(): { status: 'unknown' | 'known'; isAdmin: boolean } {
  const { user } = useSession()
  const query = useQuery({ ...isAdminQuery(user?.id ?? ''), enabled: user !== null })
  return { status: user && query.isPending ? 'unknown' : 'known', isAdmin: query.data === true }
}
