import { useMutation, useQueryClient } from '@tanstack/react-query'
import { fieldQuery, invoke } from '#client/lib/calls.ts'
import { startDownload } from '#client/lib/start-download.ts'
import { toast } from '#client/lib/toast.ts'
import { downloadGuideCall, guidesCall } from '#shared/contracts/library/library.ts'

export const guidesQuery = fieldQuery(['guides'], guidesCall, {}, 'guides')

/** Starts a download through a short-lived link and updates the download count from the response. */
export function useDownloadGuide() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => invoke(downloadGuideCall, { id }),
    onSuccess: ({ url, downloads }, id) => {
      queryClient.setQueryData(guidesQuery.queryKey, (guides) =>
        guides?.map((guide) => (guide.id === id ? { ...guide, downloads } : guide)),
      )
      startDownload(url)
    },
    onError: (error) => {
      console.error('Download failed', error)
      toast.error('We couldn’t start the download', { id: 'download', description: 'Try again in a moment.' })
    },
  })
}
