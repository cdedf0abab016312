import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSession } from '#client/lib/session.ts'

const loadRequests = () => import('../auth-requests.ts')

/** The server's own word on a session that looks half signed in from here. */
const pendingMfaQuery = (userId: string) =>
  queryOptions({
    queryKey: ['second-step', userId],
    queryFn: async ({ signal }) => (await loadRequests()).fetchSecurityOverview(signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { failureNote: 'It is not known whether a second step is due; treated as due' },
  })

/** Asks the server only when there is reason to; whoever has no second factor costs no call. */
export function usePendingMfa(): 'unknown' | 'none' | 'required' {
  const { user, pendingMfa } = useSession()
  const query = useQuery({ ...pendingMfaQuery(user?.id ?? ''), enabled: pendingMfa === 'maybe' })
  if (pendingMfa !== 'maybe') return pendingMfa
  if (query.isPending) return 'unknown'
  return query.data?.awaitsSecondFactor === false ? 'none' : 'required'
}

/** What the account has beside its factors. Until that is known backup codes are offered, and passkeys are not. */
export function useFallbackMethods(): { backupCodes: boolean; passkey: boolean } {
  const { user } = useSession()
  const { data } = useQuery({ ...pendingMfaQuery(user?.id ?? ''), enabled: user !== null })
  return {
    backupCodes: data ? data.backupCodes.left > 0 : true,
    passkey: data?.stepUp.methods.includes('passkey') ?? false,
  }
}
