import type { ExternalToast } from 'sonner'
import type { hideToast, showToast } from './show-toast.ts'

// sonner loads with the first notification. `ready` resolves once its list is mounted: earlier ones would be lost.
type Host = { showToast: typeof showToast; hideToast: typeof hideToast }
let wanted = false
let markReady: (host: Host) => void = () => {}
const ready = new Promise<Host>((resolve) => {
  markReady = resolve
})
const listeners = new Set<() => void>()

export const toastHost = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  isWanted: () => wanted,
  ready: (host: Host) => markReady(host),
}

async function show(...notification: Parameters<typeof showToast>) {
  wanted = true
  for (const listener of listeners) listener()
  const host = await ready
  host.showToast(...notification)
}

async function hide(id: string) {
  if (!wanted) return
  const host = await ready
  host.hideToast(id)
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
  hide: (id: string) => void hide(id),
}
