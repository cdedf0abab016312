import { type ExternalToast, toast } from 'sonner'

/** Errors that may still be visible. */
const errorIds = new Set<string | number>()

/** sonner's ids of those that aren't leaving, by our id. A notification with the id of one that is leaving would be lost. */
const staying = new Map<string | number, string | number>()

function forget(sonnerId: string | number) {
  for (const [id, one] of staying) if (one === sonnerId) staying.delete(id)
}

/** Hides a notification that may still be visible. */
export function hideToast(id: string) {
  const sonnerId = staying.get(id)
  if (sonnerId !== undefined) toast.dismiss(sonnerId)
}

/** Shows a notification in place of one with the same `id`, and a success in place of earlier errors. */
export function showToast(kind: 'success' | 'error' | 'message', title: string, { id, ...options }: ExternalToast) {
  if (kind === 'success') {
    for (const error of errorIds) {
      toast.dismiss(error)
      forget(error)
    }
    errorIds.clear()
  }
  const sonnerId = toast[kind](title, {
    ...options,
    id: id === undefined ? undefined : staying.get(id),
    onAutoClose: (leaving) => forget(leaving.id),
    onDismiss: (leaving) => forget(leaving.id),
  })
  if (id !== undefined) staying.set(id, sonnerId)
  if (kind === 'error') errorIds.add(sonnerId)
  else errorIds.delete(sonnerId)
}
