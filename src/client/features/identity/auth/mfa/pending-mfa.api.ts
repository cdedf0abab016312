import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSession } from '#client/lib/session.ts'

const loadRequests = () => import('../auth-requests.ts')

/** Asks the server about a session whose token doesn't show two-step verification. */
const pendingMfaQuery = (userId: string) =>
  queryOptions({
    queryKey: ['second-step', userId],
    queryFn: async ({ signal }) => (await loadRequests()).fetchSecurityOverview(signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { failureNote: 'The two-step verification check failed; treated as required' },
  })

/** Asks the server only if the token leaves it open, so accounts without a second factor cost no call. */
export function usePendingMfa(): 'unknown' | 'none' | 'required' {
  const { user, pendingMfa } = useSession()
  const query = useQuery({ ...pendingMfaQuery(user?.id ?? ''), enabled: pendingMfa === 'maybe' })
  if (pendingMfa !== 'maybe') return pendingMfa
  if (query.isPending) return 'unknown'
  return query.data?.awaitsSecondFactor === false ? 'none' : 'required'
}

/** Other methods than the factors. While loading, backup codes are offered and passkeys are not. */
export function useFallbackMethods(): { backupCodes: boolean; passkey: boolean } {
  const { user } = useSession()
  const { data } = useQuery({ ...pendingMfaQuery(user?.id ?? ''), enabled: user !== null })
  return {
    backupCodes: data ? data.backupCodes.left > 0 : true,
    passkey: data?.stepUp.methods.includes('passkey') ?? false,
  }
}
