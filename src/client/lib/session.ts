import type { Session, User } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { clearSessionEnded, hasCurrentSessionEnded, listenToOtherTabs, trackSession } from './ended-session.ts'
import { loadBackend, loadedBackend } from './load-backend.ts'
import { type PendingMfa, pendingMfaOf } from './pending-mfa.ts'
import { queryClient } from './query-client.ts'
import { type LinkTokens, mayHaveSession, onboardingDraftKey, sessionStorageKey } from './session-storage.ts'

type SessionState =
  | { status: 'loading'; user: null; pendingMfa: 'none' }
  /** `ended`: nobody here has signed out; the server does not know the session any more. */
  | { status: 'signed-out'; user: null; pendingMfa: 'none'; ended: boolean }
  | { status: 'signed-in'; user: User; pendingMfa: PendingMfa }

const signedOut = { status: 'signed-out', user: null, pendingMfa: 'none', ended: false } satisfies SessionState

/*
 * A store outside React, because loaders and the first line of the entry ask for it before anything is rendered.
 * The page is pre-rendered for somebody who is signed out, which is also where every visitor starts.
 */
let state: SessionState = signedOut
let accessToken: string | null = null
let connection: Promise<void> | null = null
const listeners = new Set<() => void>()

function publish(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

/** Runs for every auth event, often twice for one change (tabs, returning to the page): applying it again does nothing. */
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
  const known = state.user
  const renewed = accessToken !== null && accessToken !== session.access_token
  accessToken = session.access_token
  if (known && known.id !== session.user.id) queryClient.clear()
  // What the server said about a token stands until there is another token.
  const pendingMfa = state.pendingMfa === 'required' && !renewed ? 'required' : pendingMfaOf(session)
  // Answers that were refused for the want of it say nothing any more; the guards would believe them for a moment.
  if (state.pendingMfa !== 'none' && pendingMfa === 'none') void queryClient.resetQueries()
  // A new object only when something about the person changed: its identity is what components render on.
  if (
    known?.id !== session.user.id ||
    known.updated_at !== session.user.updated_at ||
    state.pendingMfa !== pendingMfa
  ) {
    publish({ status: 'signed-in', user: session.user, pendingMfa })
  }
  // Spec §4: the subscription is checked again on every change of session.
  if (renewed) void queryClient.invalidateQueries({ queryKey: ['subscription'] })
}

/** Loads the auth client and follows it from now on. Calling it again returns the first promise. */
export function connectSession(arrived: LinkTokens | null = null): Promise<void> {
  connection ??= new Promise((resolve, reject) => {
    loadBackend()
      .then(async ({ auth }) => {
        if (arrived) await adoptSession(arrived)
        auth.onAuthStateChange((event, session) => {
          apply(session)
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

/** The session of a mailed link takes the place of the one that may be here; refused by the server, it changes nothing. */
export async function adoptSession(tokens: LinkTokens) {
  const { auth } = await loadBackend()
  const { error } = await auth.setSession(tokens)
  if (error) console.error('The session of the link was refused', error)
  return error === null
}

/** Ends a session that nobody here has taken: its link is spent, and it should not lie about. */
export async function revokeSession({ access_token }: LinkTokens) {
  const { auth } = await loadBackend()
  const { error } = await auth.admin.signOut(access_token, 'local')
  if (error) console.error('The session of the link could not be ended', error)
}

/** The word of a neighbour may come behind the end itself. */
function sayThatItEnded() {
  if (state.status === 'signed-out' && !state.ended) publish({ ...signedOut, ended: true })
}

/** Called once by the entry, before the first render; `arrived` came with a mailed link. */
export function startSession(arrived: LinkTokens | null) {
  if (arrived || mayHaveSession(window.location, window.localStorage)) {
    state = { status: 'loading', user: null, pendingMfa: 'none' }
    connectSession(arrived).catch((error: unknown) => console.error('The session could not be read', error))
  } else {
    delete document.documentElement.dataset.session
  }
  listenToOtherTabs(sayThatItEnded)
  // Another tab signed in or out. A connected client hears it by itself; this is for tabs that never needed one.
  window.addEventListener('storage', (event) => {
    if (event.key !== sessionStorageKey(window.location.hostname)) return
    if (event.newValue === null) apply(null)
    else void connectSession()
  })
}

/** Resolves once it is known who is there, if anybody is. */
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

/**
 * Ends the session on this device, even when the server cannot be told. The client removes it before the click is over,
 * so leaving the page right after it changes nothing.
 */
export async function signOut() {
  clearSessionEnded()
  window.localStorage.removeItem(onboardingDraftKey)
  const { auth } = loadedBackend() ?? (await loadBackend())
  const { error } = await auth.signOut({ scope: 'local' })
  if (error) console.error('The server could not be told of the sign-out', error)
  apply(null)
}

/** The server refuses this session until the second factor is shown: the guards lead there. */
export function requireMfa() {
  if (state.status === 'signed-in') publish({ ...state, pendingMfa: 'required' })
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const getSession = () => state

export const useSession = () => useSyncExternalStore(subscribe, getSession, () => signedOut)
