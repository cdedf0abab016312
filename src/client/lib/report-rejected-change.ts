import { CallError, errorMessage } from './error-message.ts'
import { queryClient } from './query-client.ts'
import { toast } from './toast.ts'

/** Says that a change couldn't be saved. The page may show it already, so everything on it is read again. */
export function reportRejectedChange(error: unknown, label: string | null = null): void {
  if (!(error instanceof CallError)) console.error('A change could not be saved', error)
  const message = errorMessage(error)
  toast.error('A change couldn’t be saved', {
    id: 'change-rejected',
    description: label ? `${label}. ${message}` : message,
  })
  void queryClient.invalidateQueries()
}
