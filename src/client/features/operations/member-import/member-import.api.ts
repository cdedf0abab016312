import { useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { fieldQuery, invoke, upload } from '#client/lib/calls.ts'
import { useChange, useInvalidate } from '#client/lib/changes.ts'
import {
  adminCancelMembersImportCall,
  adminCheckMembersCall,
  adminMemberImportsCall,
  adminUploadMembersCall,
} from '#shared/contracts/operations/member-import.ts'
export const memberImportsQuery = fieldQuery(['admin-member-imports'], adminMemberImportsCall, {}, 'items', {
  staleTime: 0,
})
/** A finished import changes members and their counts. */
const useInvalidateImports = () => useInvalidate(memberImportsQuery.queryKey)

export function useUploadMembers() {
  const invalidate = useInvalidateImports()
  return useMutation({
    mutationFn: (file: File) => upload(adminUploadMembersCall, { name: file.name.slice(0, 200) }, file),
    onSettled: invalidate,
  })
}

export function useCheckMembers() {
  const invalidate = useInvalidateImports()
  return useMutation({
    mutationFn: (check: z.input<typeof adminCheckMembersCall.input>) => invoke(adminCheckMembersCall, check),
    onSettled: invalidate,
  })
}

export const useCancelImport = () =>
  useChange(adminCancelMembersImportCall, { failure: 'The import couldn’t be canceled' })
