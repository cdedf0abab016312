import { type EarlyResponses, requestKey } from '#client/lib/early-responses.ts'
import { loadFonts } from '#client/lib/load-fonts.ts'
import { pendingMfaOf } from '#client/lib/pending-mfa.ts'
import { readFreshSession, readKeptSession, readStoredSession } from '#client/lib/stored-session.ts'
import { publishableKey } from '#shared/publishable-key.ts'
import { findEarlyPage } from './early-pages.ts'
import { showSnapshot } from './show-snapshot.ts'

/*
 * In the head of every page of the application: starts what the page will ask for while its scripts are still loading.
 * The build inlines it and fills in the chunks of each module.
 */
declare const chunksOfModules: Record<string, string[]>

/** On slow 4G, the entry arrives half a second after a small script, and a request takes 150 ms until its first byte. */
const afterSmallScriptMs = 250
const longestWaitMs = 1_000

/**
 * Resolves when fonts and large answers no longer delay the entry: just before it arrives on a slow line, or with its first
 * statement (vite.config.ts).
 */
const entryArrives = new Promise<void>((resolve) => {
  window.entryArrived = resolve
  const link = document.querySelector<HTMLLinkElement>('link[rel="modulepreload"]')
  link?.addEventListener('load', () => setTimeout(resolve, afterSmallScriptMs))
  setTimeout(resolve, longestWaitMs)
})

/** The first page waits for them. Safari would load a preloaded font again. */
void entryArrives.then(loadFonts)

type StartOptions = { after?: Promise<void>; priority?: RequestPriority }

function startRequests() {
  const found = findEarlyPage(window.location.pathname, window.location.hash)
  const stored = readStoredSession()
  const kept = readKeptSession(stored)
  // An expired token is renewed when the app is here, as for the library that the device keeps.
  showSnapshot(kept && pendingMfaOf(kept) === 'none' ? kept.user.id : undefined)
  const session = readFreshSession(stored, Date.now())
  if (!found || !session || pendingMfaOf(session) !== 'none') return
  for (const href of new Set(found.page.modules.flatMap((module) => chunksOfModules[module] ?? []))) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href, crossOrigin: '' }))
  }
  const early: EarlyResponses = { token: session.access_token, byRequest: new Map() }
  const start = (path: string, body: string | null, { after, priority }: StartOptions = {}) => {
    const request = () =>
      fetch(path, {
        priority,
        method: body === null ? 'GET' : 'POST',
        headers: {
          apikey: publishableKey,
          Authorization: `Bearer ${session.access_token}`,
          ...(body !== null && { 'Content-Type': 'application/json' }),
        },
        body,
      })
    const response = after ? after.then(request) : request()
    // Reported by the page that takes it.
    response.catch(() => {})
    early.byRequest.set(requestKey(path, body), response)
  }
  const call = (name: string, input: object) =>
    start(
      `/functions/v1/${name}`,
      JSON.stringify(input),
      found.page.largeCalls?.includes(name) ? { after: entryArrives } : {},
    )
  call('check-subscription', {})
  for (const [name, input] of found.calls) call(name, input)
  // The answer decides whether the header has a link to the admin pages, and nothing else.
  start(`/rest/v1/user_roles?select=role&user_id=eq.${session.user.id}`, null, { priority: 'low' })
  window.earlyResponses = early
}

try {
  startRequests()
} catch {
  // Storage may be blocked. The application starts the requests itself.
}
