/** Requests that the document started before the application was loaded (early/start-requests.ts). */
export type EarlyResponses = { token: string; byRequest: Map<string, Promise<Response>> }

declare global {
  interface Window {
    earlyResponses?: EarlyResponses
    entryArrived?: () => void
    /** The app's first render waits for it (entry-client.tsx). */
    snapshotPainted?: Promise<unknown>
    /** The path below which staff view the portal as a member (public/view-as.js). */
    viewAsBase?: string
  }
}

/** After this time the page may have changed what the response says. */
const maxAgeMs = 20_000

export const requestKey = (path: string, body: unknown): string => `${path} ${typeof body === 'string' ? body : ''}`

/** The response to the same request of the same session, once. */
export function takeEarlyResponse(path: string, body: unknown, token: string | null): Promise<Response> | undefined {
  const early = window.earlyResponses
  if (!early || early.token !== token || performance.now() > maxAgeMs) return undefined
  const key = requestKey(path, body)
  const response = early.byRequest.get(key)
  early.byRequest.delete(key)
  return response
}
