import { queryOptions, useQuery } from '@tanstack/react-query'
import { loadBackend } from '#client/lib/load-backend.ts'
import { useSession } from '#client/lib/session.ts'

/** Only for display. The server checks the role itself on every admin call. */
export const isAdminQuery = (userId: string) =>
  queryOptions({
    queryKey: ['is-admin', userId],
    queryFn: async ({ signal }) => {
      const { rest } = await loadBackend()
      const { data } = await rest
        .from('user_roles')
        .select('role')
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return (data as { role?: unknown } | null)?.role === 'admin'
    },
    staleTime: 5 * 60_000,
    retry: false, // postgrest-js has its own retries
    meta: { failureNote: 'The role check failed; treated as not admin' },
  })

export function useIsAdmin(): { status: 'unknown' | 'known'; isAdmin: boolean } {
  const { user } = useSession()
  const query = useQuery({ ...isAdminQuery(user?.id ?? ''), enabled: user !== null })
  return { status: user && query.isPending ? 'unknown' : 'known', isAdmin: query.data === true }
}
