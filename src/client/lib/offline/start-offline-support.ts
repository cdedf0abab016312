import { sendWaitingChanges } from '../outbox.ts'
import { registerServiceWorker } from './service-worker.ts'

/** Keeps the app's files on this device, and sends changes made offline. Call it once the page is idle. */
export async function startOfflineSupport(): Promise<void> {
  await Promise.all([registerServiceWorker(), sendWaitingChanges()])
}
