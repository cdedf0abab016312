import { queryOptions, useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { invoke, upload } from '#client/lib/invoke.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  adminCancelMembersImportCall,
  adminCheckMembersCall,
  adminImportMembersCall,
  adminMemberImportCall,
  adminMemberImportErrorsCall,
  adminMemberImportsCall,
  adminUploadMembersCall,
  type MemberImport,
} from '#shared/contracts/operations/member-import.ts'

const pollMs = 1_000

export const isWorking = ({ status }: Pick<MemberImport, 'status'>) => status === 'checking' || status === 'running'

export const memberImportsQuery = queryOptions({
  queryKey: ['admin-member-imports'],
  queryFn: async ({ signal }) => (await invoke(adminMemberImportsCall, {}, signal)).items,
  staleTime: 0,
})

/** Polled while the server works on it. */
export const memberImportQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-member-imports', id],
    queryFn: ({ signal }) => invoke(adminMemberImportCall, { id }, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isWorking(state.data) ? pollMs : false),
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

export function useImportMembers() {
  const invalidate = useInvalidateImports()
  return useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminImportMembersCall, { id }),
    onSuccess: invalidate,
    failure: 'The import couldn’t start',
  })
}

export function useCancelImport() {
  const invalidate = useInvalidateImports()
  return useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminCancelMembersImportCall, { id }),
    onSuccess: invalidate,
    failure: 'The import couldn’t be canceled',
  })
}

export const useDownloadErrors = () =>
  useSensitiveMutation({
    mutationFn: (input: z.input<typeof adminMemberImportErrorsCall.input>) =>
      invoke(adminMemberImportErrorsCall, input),
    onSuccess: ({ csv }, { all }) => saveFile(all ? 'import-check.csv' : 'import-errors.csv', csv, 'text/csv'),
    failure: 'The list couldn’t be downloaded',
  })
