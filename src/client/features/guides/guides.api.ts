import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import { downloadGuideCall, guidesCall } from '#shared/contracts/library.ts'

export const guidesQuery = queryOptions({
  queryKey: ['guides'],
  queryFn: async ({ signal }) => (await invoke(guidesCall, {}, signal)).guides,
})

/** The link works for a few minutes and the answer carries the new count, so the list need not be asked for again. */
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
      console.error('The download could not be started', error)
      toast.error('The download did not start', { id: 'download', description: 'Please try again in a moment.' })
    },
  })
}

/** The answer is an attachment: the page stays where it is. */
function startDownload(url: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
