import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke, upload } from '#client/lib/invoke.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import {
  adminCancelPostImportCall,
  adminPostImportsCall,
  adminStartPostImportCall,
  adminUploadPostsCall,
  type PostImport,
} from '#shared/contracts/operations/post-imports.ts'

const pollMs = 2_000
export const isRunning = ({ status }: PostImport) => status === 'checking' || status === 'importing'

export const postImportsQuery = queryOptions({
  queryKey: ['admin-post-imports'],
  queryFn: async ({ signal }) => (await invoke(adminPostImportsCall, {}, signal)).items,
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isRunning) ? pollMs : false),
})
const useRefresh = () => useInvalidate(postImportsQuery.queryKey)

export function useUploadPosts() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (file: File) => upload(adminUploadPostsCall, { name: file.name }, file),
    onSettled: refresh,
  })
}

export function useStartPostImport() {
  const queryClient = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (input: { id: string; publish: boolean; siteAddress: string | null }) =>
      invoke(adminStartPostImportCall, input),
    onSettled: () => {
      // New drops appear in the content lists.
      void queryClient.invalidateQueries({ queryKey: ['admin-content', 'issue'] })
      return refresh()
    },
  })
}

export function useCancelPostImport() {
  const refresh = useRefresh()
  return useMutation({ mutationFn: (id: string) => invoke(adminCancelPostImportCall, { id }), onSettled: refresh })
}
