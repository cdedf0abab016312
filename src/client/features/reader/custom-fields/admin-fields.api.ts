import { useMutation, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery, CallError, invoke } from '#client/lib/calls.ts'
import { useSensitiveMutation } from '#client/lib/changes.ts'
import {
  adminCustomFieldsCall,
  adminOrderCustomFieldsCall,
  adminRetireCustomFieldCall,
  adminSaveCustomFieldCall,
  type CustomFieldToSave,
  type StoredCustomField,
} from '#shared/contracts/reader/custom-fields.ts'

/** The publisher's fields, retired ones included. */
export const storedFieldsQuery = alwaysStaleQuery(['admin-custom-fields'], adminCustomFieldsCall, {})
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
