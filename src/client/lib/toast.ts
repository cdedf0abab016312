import type { ExternalToast } from 'sonner'

// sonner loads with the first notification. `ready` resolves once its list is mounted: earlier ones would be lost.
let wanted = false
let markReady: () => void = () => {}
const ready = new Promise<void>((resolve) => {
  markReady = resolve
})
const listeners = new Set<() => void>()

export const toastHost = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  isWanted: () => wanted,
  ready: () => markReady(),
}

/** Errors that may still be visible. */
const errorIds = new Set<string | number>()

/** sonner's ids of those that aren't leaving, by our id. A notification with the id of one that is leaving would be lost. */
const staying = new Map<string | number, string | number>()

function forget(sonnerId: string | number) {
  for (const [id, one] of staying) if (one === sonnerId) staying.delete(id)
}

async function show(kind: 'success' | 'error' | 'message', title: string, { id, ...options }: ExternalToast) {
  wanted = true
  for (const listener of listeners) listener()
  const [{ toast: sonner }] = await Promise.all([import('sonner'), ready])
  // A success replaces earlier errors.
  if (kind === 'success') {
    for (const error of errorIds) {
      sonner.dismiss(error)
      forget(error)
    }
    errorIds.clear()
  }
  const sonnerId = sonner[kind](title, {
    ...options,
    id: id === undefined ? undefined : staying.get(id),
    onAutoClose: (leaving) => forget(leaving.id),
    onDismiss: (leaving) => forget(leaving.id),
  })
  if (id !== undefined) staying.set(id, sonnerId)
  if (kind === 'error') errorIds.add(sonnerId)
  else errorIds.delete(sonnerId)
}

const errorDurationMs = 5000
const durationMs = 4000

/** Pass an `id` if the same message can be shown twice: the second replaces the first. */
export const toast = {
  success: (title: string, options?: ExternalToast) =>
    void show('success', title, { duration: durationMs, ...options }),
  message: (title: string, options?: ExternalToast) =>
    void show('message', title, { duration: durationMs, ...options }),
  error: (title: string, options?: ExternalToast) =>
    void show('error', title, { duration: errorDurationMs, ...options }),
}
