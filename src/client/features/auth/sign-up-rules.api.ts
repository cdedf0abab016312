import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { queryClient } from '#client/lib/query-client.ts'
import type { signUpRulesCall } from '#shared/contracts/account-security.ts'

export type SignUpRules = z.output<typeof signUpRulesCall.output>

/** What stands until the service has answered, and when it does not: it has the last word anyway. */
const usualRules: SignUpRules = { open: true, passwordMinLength: 6, refuseWeakPasswords: false, proofOfWork: null }

const minutes = 60_000

export const signUpRulesQuery = queryOptions({
  queryKey: ['sign-up-rules'],
  queryFn: async ({ signal }) => (await import('./auth-requests.ts')).fetchSignUpRules(signal),
  staleTime: 5 * minutes,
  retry: false,
})

export function useSignUpRules(enabled = true): SignUpRules {
  return useQuery({ ...signUpRulesQuery, enabled }).data ?? usualRules
}

/**
 * The work that the operator asks of a browser before it may sign up or send a mail, done; undefined when none is asked
 * for. The page stays usable meanwhile: the sums are the browser's own and run beside it.
 */
export async function proveWork(): Promise<string | undefined> {
  const rules = await queryClient.ensureQueryData(signUpRulesQuery).catch(() => usualRules)
  if (!rules.proofOfWork) return undefined
  const [{ solveProofOfWork }, fresh] = await Promise.all([
    import('#shared/domain/bot-protection.ts'),
    // Each task counts once, so the one in hand may have been used up already.
    queryClient.fetchQuery({ ...signUpRulesQuery, staleTime: 0 }),
  ])
  return fresh.proofOfWork ? solveProofOfWork(fresh.proofOfWork) : undefined
}
