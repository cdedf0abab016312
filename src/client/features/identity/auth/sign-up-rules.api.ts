import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { queryClient } from '#client/lib/query-client.ts'
import type { signUpRulesCall } from '#shared/contracts/identity/account-security.ts'

export type SignUpRules = z.output<typeof signUpRulesCall.output>

/** Used until the server responds, and if it doesn't. The server enforces its own rules. */
const defaultRules: SignUpRules = {
  ...{ open: true, passwordMinLength: 6, refuseWeakPasswords: false },
  ...{ proofOfWork: null, sender: '' },
}

const minutes = 60_000

export const signUpRulesQuery = queryOptions({
  queryKey: ['sign-up-rules'],
  queryFn: async ({ signal }) => (await import('./auth-requests.ts')).fetchSignUpRules(signal),
  staleTime: 5 * minutes,
  retry: false,
})

export function useSignUpRules(enabled = true): SignUpRules {
  return useQuery({ ...signUpRulesQuery, enabled }).data ?? defaultRules
}

/** Solves the server's proof-of-work challenge without blocking the page; undefined if the server requires none. */
export async function solveChallenge(): Promise<string | undefined> {
  const rules = await queryClient.ensureQueryData(signUpRulesQuery).catch(() => defaultRules)
  if (!rules.proofOfWork) return undefined
  const [{ solveProofOfWork }, fresh] = await Promise.all([
    import('#shared/domain/bot-protection.ts'),
    // Each challenge works once, and the cached one may be used.
    queryClient.fetchQuery({ ...signUpRulesQuery, staleTime: 0 }),
  ])
  return fresh.proofOfWork ? solveProofOfWork(fresh.proofOfWork) : undefined
}
