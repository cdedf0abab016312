import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { staffRoleQuery, useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { CallError } from '#client/lib/call-error.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { staffRoleLabels } from '#shared/domain/staff-roles.ts'

const refused = new Set(['role_not_allowed', 'not_admin'])

/** Reads the role again when the server refuses a call, and says so if an owner has changed it meanwhile. */
export function useRoleChanges() {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const { role } = useStaffRole()
  const userId = user?.id ?? ''
  useEffect(() => {
    const handle = (error: unknown) => {
      if (error instanceof CallError && refused.has(error.code)) {
        void queryClient.invalidateQueries({ queryKey: staffRoleQuery(userId).queryKey })
      }
    }
    const endings = [
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') handle(event.action.error)
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') handle(event.action.error)
      }),
    ]
    return () => {
      for (const end of endings) end()
    }
  }, [queryClient, userId])

  const known = useRef(role)
  useEffect(() => {
    if (role && known.current && role !== known.current) {
      const { name, can } = staffRoleLabels[role]
      toast.message(`Your role is now ${name}`, { id: 'role-changed', description: `${can}.` })
      // Data loaded with the former role may not be for this one.
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('admin') })
    }
    if (role) known.current = role
  }, [role, queryClient])
}
