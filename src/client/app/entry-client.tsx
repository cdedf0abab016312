import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { LandingContext, readEmbeddedContent } from '#client/features/publishing/landing/landing-content.ts'
import { startSession } from '#client/lib/session.ts'
import '../styles.css'
import { findAccountConflict, setPendingLinkSession } from '#client/lib/pending-link-session.ts'
import {
  type LinkPurpose,
  type LinkTokens,
  readLinkError,
  readLinkMessage,
  readLinkSession,
  readStoredSession,
} from '#client/lib/stored-session.ts'
import { toast } from '#client/lib/toast.ts'
import { recoverFromMissingChunks } from './chunk-recovery.ts'
import { createRoutes, loadLandingPage, patchRoutes } from './routes.tsx'
import { confirmedSignUp, invitedTo } from './sign-in-location-state.ts'

/**
 * Reads the session, error or message that an emailed link carries in the URL fragment, and removes it from the address
 * bar and history. Runs before the router starts, so that no guard redirects first.
 * @returns the session's tokens, unless the user is signed in to another account and has to decide first
 */
function consumeEmailLink(): LinkTokens | null {
  const { hash, pathname, search } = window.location
  const session = readLinkSession(hash)
  if (session) {
    const address = pathname + search
    const { tokens, purpose } = session
    const { to, state } = destinationOf(purpose, address)
    const others = findAccountConflict(tokens, readStoredSession())
    if (others) {
      setPendingLinkSession({ tokens, ...others, destination: { to, state } })
      goTo('/auth/link')
      return null
    }
    goTo(to, state)
    return tokens
  }
  const failure = readLinkError(hash)
  const message = readLinkMessage(hash)
  if (failure) goTo('/auth/link', { ...failure, landedOn: pathname })
  else if (message) {
    goTo(pathname + search)
    toast.message(message)
  }
  return null
}

/** After confirming a sign-up, /auth continues onboarding if questions are unanswered. */
function destinationOf(purpose: LinkPurpose | null, address: string): { to: string; state: object | null } {
  if (purpose === null) return { to: address, state: null }
  if (purpose !== 'signup') {
    return { to: '/reset-password', state: purpose === 'invite' ? invitedTo(address) : null }
  }
  // The portal is the default destination, the landing page the fallback.
  const isDefault = address === '/portal' || address === '/'
  return isDefault ? { to: '/auth', state: confirmedSignUp } : { to: address, state: null }
}

/** Sets the location's state in the router's format, where it is `usr`. */
const goTo = (address: string, state: object | null = null) => window.history.replaceState({ usr: state }, '', address)

recoverFromMissingChunks()
startSession(consumeEmailLink())

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))

const content = readEmbeddedContent()

const App = ({ router }: { router: ReturnType<typeof createBrowserRouter> }) => (
  <LandingContext value={content}>
    <RouterProvider router={router} />
  </LandingContext>
)

/** `hydrationData` makes the router keep the scroll position, since the reader may already have scrolled. */
async function hydrate(root: HTMLElement) {
  const { LandingPage } = await loadLandingPage()
  // Separate tasks for modules, router and page keep a slow phone responsive in between.
  await nextTask()
  const router = createBrowserRouter(createRoutes(LandingPage), {
    hydrationData: {},
    patchRoutesOnNavigation: patchRoutes,
  })
  await nextTask()
  // after-paint.js stops queuing clicks: from here on, React handles them.
  window.dispatchEvent(new Event('app:hydrating'))
  // A transition lets input interrupt hydration.
  startTransition(() => void hydrateRoot(root, <App router={router} />))
}

async function render(root: HTMLElement) {
  // In a function, since WebKit runs modules too early while one that they import waits (scripts/build/top-level-await.ts).
  await window.snapshotPainted
  const router = createBrowserRouter(createRoutes(), {
    basename: window.viewAsBase,
    patchRoutesOnNavigation: patchRoutes,
  })
  createRoot(root).render(<App router={router} />)
}

// index.html holds the pre-rendered landing page, shell.html is empty. An emailed link may have changed the path.
void (root.firstElementChild !== null && window.location.pathname === '/' ? hydrate(root) : render(root))
