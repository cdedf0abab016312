import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { customFieldsCall, type FieldAnswers, saveCustomFieldsCall } from '#shared/contracts/reader/custom-fields.ts'

/** Questions that the publisher asks the member. */
export const ownFieldsQuery = (at: 'sign_up' | 'account') =>
  queryOptions({
    queryKey: ['custom-fields', at],
    queryFn: ({ signal }) => invoke(customFieldsCall, { at }, signal),
    staleTime: 0,
  })

export function useSaveOwnFields() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (answers: FieldAnswers) => invoke(saveCustomFieldsCall, { answers }),
    onSuccess: (saved) => queryClient.setQueryData(ownFieldsQuery('account').queryKey, saved),
  })
}
