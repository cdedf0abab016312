import type { Session, User } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { loadBackend } from './load-backend.ts'
import { queryClient } from './query-client.ts'
import { mayHaveSession, sessionStorageKey } from './session-storage.ts'

type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: User }

const signedOut: SessionState = { status: 'signed-out', user: null }

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
    publish(signedOut)
    queryClient.clear()
    return
  }
  const known = state.user
  const renewed = accessToken !== null && accessToken !== session.access_token
  accessToken = session.access_token
  if (known && known.id !== session.user.id) queryClient.clear()
  // A new object only when something about the person changed: its identity is what components render on.
  if (known?.id !== session.user.id || known.updated_at !== session.user.updated_at) {
    publish({ status: 'signed-in', user: session.user })
  }
  // Spec §4: the subscription is checked again on every change of session.
  if (renewed) void queryClient.invalidateQueries({ queryKey: ['subscription'] })
}

/** Loads the auth client and follows it from now on. Calling it again returns the first promise. */
export function connectSession(): Promise<void> {
  connection ??= new Promise((resolve, reject) => {
    loadBackend()
      .then(({ auth }) => {
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

/** Called once by the entry, before the first render. */
export function startSession() {
  if (mayHaveSession(window.location, window.localStorage)) {
    state = { status: 'loading', user: null }
    connectSession().catch((error: unknown) => console.error('The session could not be read', error))
  } else {
    delete document.documentElement.dataset.session
  }
  // Another tab signed in or out. A connected client hears it by itself; this is for tabs that never needed one.
  window.addEventListener('storage', (event) => {
    if (event.key !== sessionStorageKey(window.location.hostname)) return
    if (event.newValue === null) apply(null)
    else void connectSession()
  })
}

/** Resolves to the user once it is known who is there, or to null when nobody is. */
export function whenKnown(): Promise<User | null> {
  if (state.status !== 'loading') return Promise.resolve(state.user)
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      if (state.status === 'loading') return
      stop()
      resolve(state.user)
    })
  })
}

/** Ends the session on this device. It is over here even when the server cannot be told. */
export async function signOut() {
  const { auth } = await loadBackend()
  const { error } = await auth.signOut({ scope: 'local' })
  if (error) window.localStorage.removeItem(sessionStorageKey(window.location.hostname))
  apply(null)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const getSession = () => state

export const useSession = () => useSyncExternalStore(subscribe, getSession, () => signedOut)
