import { useMutation } from '@tanstack/react-query'
import { fieldQuery, invoke } from '#client/lib/calls.ts'
import { startDownload } from '#client/lib/start-download.ts'
import { toast } from '#client/lib/toast.ts'
import { downloadTestSheetCall, toolsCall } from '#shared/contracts/library/library.ts'

export const toolsQuery = fieldQuery(['tools'], toolsCall, {}, 'tools')

/** Starts a download through a short-lived link. */
export function useDownloadTestSheet() {
  return useMutation({
    mutationFn: (id: string) => invoke(downloadTestSheetCall, { id }),
    onSuccess: ({ url }) => startDownload(url),
    onError: (error) => {
      console.error('Download failed', error)
      toast.error('We couldn’t start the download', { id: 'download', description: 'Try again in a moment.' })
    },
  })
}
