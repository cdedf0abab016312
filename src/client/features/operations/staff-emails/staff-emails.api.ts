import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { callQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { adminStaffEmailsCall } from '#shared/contracts/operations/staff-emails.ts'

export const staffEmailsQuery = callQuery(['staff-emails'], adminStaffEmailsCall, {})

export function useChooseStaffEmail() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (save: NonNullable<z.input<typeof adminStaffEmailsCall.input>['save']>) =>
      invoke(adminStaffEmailsCall, { save }),
    onSuccess: (answer) => queryClient.setQueryData(staffEmailsQuery.queryKey, answer),
  })
}
