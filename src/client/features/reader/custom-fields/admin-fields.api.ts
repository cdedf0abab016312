import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { CallError, invoke } from '#client/lib/invoke.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminCustomFieldsCall,
  adminCustomFieldUseCall,
  adminMemberFieldsCall,
  adminOrderCustomFieldsCall,
  adminRetireCustomFieldCall,
  adminSaveCustomFieldCall,
  adminSetMemberFieldsCall,
  type CustomFieldToSave,
  type FieldAnswers,
  type StoredCustomField,
} from '#shared/contracts/reader/custom-fields.ts'

/** The publisher's fields, retired ones included. */
export const storedFieldsQuery = alwaysStaleQuery(['admin-custom-fields'], adminCustomFieldsCall, {})

export const useFieldUse = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: ['admin-custom-field-use', id],
    queryFn: ({ signal }) => invoke(adminCustomFieldUseCall, { id }, signal),
    enabled,
    staleTime: 0,
  })

/** Someone else has saved the field since it was loaded. */
export const isConflict = (error: unknown) => error instanceof CallError && error.code === 'edit_conflict'

function useStore() {
  const queryClient = useQueryClient()
  return (stored: { items: StoredCustomField[] }) => queryClient.setQueryData(storedFieldsQuery.queryKey, stored)
}

export const useSaveField = () =>
  useMutation({
    mutationFn: (field: CustomFieldToSave) => invoke(adminSaveCustomFieldCall, field),
    onSuccess: useStore(),
  })

export const useRetireField = ({ id, version }: StoredCustomField) =>
  useSensitiveMutation({
    mutationFn: (retired: boolean) => invoke(adminRetireCustomFieldCall, { id, version, retired }),
    failure: 'We couldn’t change the field',
    onSuccess: useStore(),
  })

export const useOrderFields = () =>
  useSensitiveMutation({
    mutationFn: (ids: number[]) => invoke(adminOrderCustomFieldsCall, { ids }),
    failure: 'We couldn’t change the order',
    onSuccess: useStore(),
  })

export const memberFieldsQuery = (userId: string) =>
  alwaysStaleQuery(['admin-member-fields', userId], adminMemberFieldsCall, { userId })

export function useSetMemberFields(userId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (answers: FieldAnswers) => invoke(adminSetMemberFieldsCall, { userId, answers }),
    onSuccess: (stored) => queryClient.setQueryData(memberFieldsQuery(userId).queryKey, stored),
  })
}
