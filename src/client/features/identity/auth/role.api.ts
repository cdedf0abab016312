import { queryOptions, useQuery } from '@tanstack/react-query'
import { authorizedFetch, readAccessToken } from '#client/lib/authorized-fetch.ts'
import { readCallError } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { type StaffRole, staffRoles } from '#shared/domain/staff-roles.ts'

/** Decides what is shown. The server checks the role itself on every admin call. */
export const staffRoleQuery = (userId: string) =>
  queryOptions({
    queryKey: ['staff-role', userId],
    queryFn: async ({ signal }): Promise<StaffRole | null> => {
      const path = `/rest/v1/user_roles?select=role&user_id=eq.${userId}`
      const response = await authorizedFetch(path, { signal }, await readAccessToken())
      if (!response.ok) throw await readCallError(response)
      const rows = (await response.json()) as { role?: unknown }[]
      const role = rows[0]?.role
      return role === 'admin' ? 'owner' : (staffRoles.find((one) => one === role) ?? null)
    },
    staleTime: 5 * 60_000,
    meta: { failureNote: 'The role check failed; treated as not admin' },
  })

/** The user's role; null for readers. */
export function useStaffRole(): { status: 'unknown' | 'known'; role: StaffRole | null } {
  const { user } = useSession()
  const query = useQuery({ ...staffRoleQuery(user?.id ?? ''), enabled: user !== null })
  return { status: user && query.isPending ? 'unknown' : 'known', role: query.data ?? null }
}
