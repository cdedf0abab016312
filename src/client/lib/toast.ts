import type { ExternalToast } from 'sonner'
import type { showToast } from './show-toast.ts'

// sonner loads with the first notification. `ready` resolves once its list is mounted: earlier ones would be lost.
let wanted = false
let markReady: (show: typeof showToast) => void = () => {}
const ready = new Promise<typeof showToast>((resolve) => {
  markReady = resolve
})
const listeners = new Set<() => void>()

export const toastHost = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  isWanted: () => wanted,
  ready: (show: typeof showToast) => markReady(show),
}

async function show(...notification: Parameters<typeof showToast>) {
  wanted = true
  for (const listener of listeners) listener()
  const showNow = await ready
  showNow(...notification)
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
