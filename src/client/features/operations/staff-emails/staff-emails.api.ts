import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { invoke } from '#client/lib/invoke.ts'
import { adminStaffEmailsCall } from '#shared/contracts/operations/staff-emails.ts'

export const staffEmailsQuery = queryOptions({
  queryKey: ['staff-emails'],
  queryFn: ({ signal }) => invoke(adminStaffEmailsCall, {}, signal),
})

export function useChooseStaffEmail() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (save: NonNullable<z.input<typeof adminStaffEmailsCall.input>['save']>) =>
      invoke(adminStaffEmailsCall, { save }),
    onSuccess: (answer) => queryClient.setQueryData(staffEmailsQuery.queryKey, answer),
  })
}
