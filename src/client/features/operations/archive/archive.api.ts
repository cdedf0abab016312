import { queryOptions, useMutation } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { startDownload } from '#client/lib/start-download.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import {
  type Archive,
  adminArchiveLinkCall,
  adminArchivesCall,
  adminCreateArchiveCall,
  adminDeleteArchiveCall,
} from '#shared/contracts/operations/archives.ts'

export const isBuilding = ({ status }: Archive) => status === 'queued' || status === 'building'

const pollMs = 2_000

/** Asks again while one is being built. */
export const archivesQuery = queryOptions({
  queryKey: ['admin', 'archives'],
  queryFn: async ({ signal }) => (await invoke(adminArchivesCall, {}, signal)).items,
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isBuilding) ? pollMs : false),
})

const useRefreshArchives = () => useInvalidate(archivesQuery.queryKey)

export function useCreateArchive() {
  const refresh = useRefreshArchives()
  return useMutation({ mutationFn: () => invoke(adminCreateArchiveCall, {}), onSuccess: refresh })
}

export const useDownloadArchive = () =>
  useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminArchiveLinkCall, { id }),
    onSuccess: ({ url }) => startDownload(url),
    failure: 'We couldn’t start the download',
  })

export function useDeleteArchive() {
  const refresh = useRefreshArchives()
  return useSensitiveMutation({
    mutationFn: (id: string) => invoke(adminDeleteArchiveCall, { id }),
    onSuccess: refresh,
    done: 'Archive deleted',
    failure: 'We couldn’t delete the archive',
  })
}
