import { useMutation, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { invoke } from '#client/lib/invoke.ts'
import { customFieldsCall, type FieldAnswers, saveCustomFieldsCall } from '#shared/contracts/reader/custom-fields.ts'

/** Questions that the publisher asks the member. */
export const ownFieldsQuery = (at: 'sign_up' | 'account') =>
  alwaysStaleQuery(['custom-fields', at], customFieldsCall, { at })

export function useSaveOwnFields() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (answers: FieldAnswers) => invoke(saveCustomFieldsCall, { answers }),
    onSuccess: (saved) => queryClient.setQueryData(ownFieldsQuery('account').queryKey, saved),
  })
}
