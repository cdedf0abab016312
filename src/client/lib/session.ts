import type { Session, User } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { publishableKey } from '#shared/publishable-key.ts'
import { clearSessionEnded, hasCurrentSessionEnded, listenToOtherTabs, trackSession } from './ended-session.ts'
import { loadBackend, onBackendLoaded } from './load-backend.ts'
import { listChangeIds, removeChanges } from './offline/waiting-changes.ts'
import { snapshotsKey } from './page-snapshots.ts'
import { type PendingMfa, pendingMfaOf } from './pending-mfa.ts'
import { queryClient } from './query-client.ts'
import {
  hasSessionCode,
  type LinkTokens,
  mayHaveSession,
  onboardingDraftKey,
  readFreshSession,
  readKeptSession,
  readStoredSession,
  renewBeforeMs,
  sessionStorageKey,
} from './stored-session.ts'

type SessionState =
  | { status: 'loading'; user: null; pendingMfa: 'none' }
  /** `ended`: the server ended the session; the user did not sign out. */
  | { status: 'signed-out'; user: null; pendingMfa: 'none'; ended: boolean }
  | { status: 'signed-in'; user: User; pendingMfa: PendingMfa }

const signedOut = { status: 'signed-out', user: null, pendingMfa: 'none', ended: false } satisfies SessionState

/*
 * A store outside React, because loaders and the entry need it before the first render.
 * Starts signed out, like the pre-rendered page.
 */
let state: SessionState = signedOut
let accessToken: string | null = null
let connection: Promise<void> | null = null
let renewal: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function publish(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

/** Runs for every auth event. Idempotent, because auth-js often reports a change twice. */
function apply(session: Session | null) {
  if (!session) {
    accessToken = null
    delete document.documentElement.dataset.session
    if (state.status === 'signed-out') return
    publish({ ...signedOut, ended: hasCurrentSessionEnded() })
    queryClient.clear()
    return
  }
  trackSession(session)
  const previous = state.user
  const isRefreshed = accessToken !== null && accessToken !== session.access_token
  accessToken = session.access_token
  if (previous && previous.id !== session.user.id) queryClient.clear()
  // The server's answer about this token stays true until it is refreshed.
  const pendingMfa = state.pendingMfa === 'required' && !isRefreshed ? 'required' : pendingMfaOf(session)
  // Discard errors caused by pending MFA, which the guards would act on.
  if (state.pendingMfa !== 'none' && pendingMfa === 'none') void queryClient.resetQueries()
  // Publish only real changes, because each new object renders every subscriber.
  if (
    previous?.id !== session.user.id ||
    previous.updated_at !== session.user.updated_at ||
    state.pendingMfa !== pendingMfa
  ) {
    publish({ status: 'signed-in', user: session.user, pendingMfa })
  }
  // The subscription is checked again on every change of session, since another account may have another plan.
  if (isRefreshed) void queryClient.invalidateQueries({ queryKey: ['subscription'] })
}

/** Applies a stored session without loading the auth client before its token expires. False if only the client can tell. */
function applyStored(stored: string | null): boolean {
  const session = readFreshSession(stored, Date.now())
  if (!session) return false
  apply(session)
  clearTimeout(renewal)
  renewal = setTimeout(() => void connectOrLog(), session.expires_at * 1000 - renewBeforeMs - Date.now())
  return true
}

const connectOrLog = (linkTokens: LinkTokens | null = null) =>
  connectSession(linkTokens).catch((error: unknown) => console.error('The session could not be read', error))

// Code that loads the client may change the session.
onBackendLoaded(() => {
  if (state.status === 'signed-in') void connectOrLog()
})

/** Loads the auth client and subscribes to it. Later calls return the same promise. */
export function connectSession(linkTokens: LinkTokens | null = null): Promise<void> {
  connection ??= new Promise((resolve, reject) => {
    loadBackend()
      .then(async ({ auth }) => {
        if (linkTokens) await adoptSession(linkTokens)
        auth.onAuthStateChange((event, session) => {
          // The server couldn't be reached to renew an expired token, but its user is known.
          apply(session ?? (event === 'INITIAL_SESSION' ? readKeptSession(readStoredSession()) : null))
          if (event === 'INITIAL_SESSION') resolve()
        })
      })
      .catch((error: unknown) => {
        connection = null
        apply(null)
        reject(error)
      })
  })
  return connection
}

/** Replaces the current session with that of an emailed link. False if the server rejects it. */
export async function adoptSession(tokens: LinkTokens) {
  const { auth } = await loadBackend()
  const { error } = await auth.setSession(tokens)
  if (error) console.error('The session of the link was rejected', error)
  return error === null
}

/** Revokes the session of a link that the user declined. */
export async function revokeSession({ access_token }: LinkTokens) {
  const { auth } = await loadBackend()
  const { error } = await auth.admin.signOut(access_token, 'local')
  if (error) console.error('The session of the link could not be revoked', error)
}

/** Another tab may report the end after this tab has signed out. */
function publishEnded() {
  if (state.status === 'signed-out' && !state.ended) publish({ ...signedOut, ended: true })
}

/** Called once by the entry, before the first render. `linkTokens` come from an emailed link. */
export function startSession(linkTokens: LinkTokens | null) {
  if (linkTokens || mayHaveSession(window.location, window.localStorage)) {
    state = { status: 'loading', user: null, pendingMfa: 'none' }
    const needsClient = linkTokens !== null || hasSessionCode(window.location, window.localStorage)
    if (needsClient || !applyStored(readStoredSession())) {
      // Without a network, the client would try to renew an expired token for half a minute first.
      if (!navigator.onLine) apply(readKeptSession(readStoredSession()))
      void connectOrLog(linkTokens)
    }
  } else {
    delete document.documentElement.dataset.session
  }
  listenToOtherTabs(publishEnded)
  // Another tab signed in or out, or renewed the token. For tabs that have not loaded the auth client.
  window.addEventListener('storage', (event) => {
    if (event.key !== sessionStorageKey(window.location.hostname)) return
    if (event.newValue === null) apply(null)
    else if (connection || !applyStored(event.newValue)) void connectOrLog()
  })
  // A page from the back-forward cache missed what happened since, such as signing out.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    const stored = readStoredSession()
    if (stored === null) apply(null)
    else if (!applyStored(stored)) void connectOrLog()
  })
}

/** Resolves once the session state is known. */
export function whenSessionKnown(): Promise<SessionState> {
  if (state.status !== 'loading') return Promise.resolve(state)
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      if (state.status === 'loading') return
      stop()
      resolve(state)
    })
  })
}

/** The request is sent even if the page is closed right away. */
async function endOnServer(accessToken: string) {
  const headers = { apikey: publishableKey, Authorization: `Bearer ${accessToken}` }
  const { ok, status } = await fetch('/auth/v1/logout?scope=local', { method: 'POST', headers, keepalive: true })
  if (!ok) throw new Error(`The server answered ${status}`)
}

/** Signs out on this device, even if the server can't be reached. A session with a valid token is removed synchronously. */
export async function signOut() {
  clearSessionEnded()
  window.localStorage.removeItem(onboardingDraftKey)
  const fresh = readFreshSession(readStoredSession(), Date.now())
  // Without a network, the server can't be told, and the client would try to renew an expired token first.
  if (fresh || !navigator.onLine) window.localStorage.removeItem(sessionStorageKey(window.location.hostname))
  const ended = fresh && navigator.onLine ? endOnServer(fresh.access_token) : Promise.resolve()
  try {
    await ended.catch((error: unknown) => console.error('The server did not receive the sign-out', error))
    const { auth } = await loadBackend()
    const { error } = await auth.signOut({ scope: 'local' })
    if (error) console.error('The server did not receive the sign-out', error)
  } catch (error) {
    console.error('The auth client could not be loaded', error)
    window.localStorage.removeItem(sessionStorageKey(window.location.hostname))
    window.indexedDB.deleteDatabase('front-counter')
    window.localStorage.removeItem(snapshotsKey)
    removeChanges(listChangeIds())
  }
  apply(null)
}

/** The server requires MFA for this session. The guards then redirect there. */
export function requireMfa() {
  if (state.status === 'signed-in') publish({ ...state, pendingMfa: 'required' })
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const getSession = () => state

export const useSession = () => useSyncExternalStore(subscribe, getSession, () => signedOut)
