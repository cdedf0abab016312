import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { LandingSamplesContext, readEmbeddedSamples } from '#client/features/landing/landing-samples.ts'
import { startSession } from '#client/lib/session.ts'
import '../styles.css'
import { recoverFromMissingChunks } from './chunk-recovery.ts'
import { consumeEmailLink } from './email-link.ts'
import { routes } from './routes.tsx'

recoverFromMissingChunks()
startSession(consumeEmailLink())

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))

const samples = readEmbeddedSamples()

const App = ({ router }: { router: ReturnType<typeof createBrowserRouter> }) => (
  <LandingSamplesContext value={samples}>
    <RouterProvider router={router} />
  </LandingSamplesContext>
)

/** Told that there is something to hydrate, the router leaves the scroll position alone: the reader may be reading. */
async function wake(root: HTMLElement) {
  // One task each for loading the modules, for the router and for the page: a slow phone answers the reader in between.
  await nextTask()
  const router = createBrowserRouter(routes, { hydrationData: {} })
  await nextTask()
  // From here on no click is lost: after-paint.js stops remembering them.
  window.dispatchEvent(new Event('app:hydrating'))
  // As a transition, hydration yields to the reader.
  startTransition(() => void hydrateRoot(root, <App router={router} />))
}

// index.html is the pre-rendered landing page, shell.html is empty. A mailed link may have led on from the former.
if (root.firstElementChild !== null && window.location.pathname === '/') void wake(root)
else createRoot(root).render(<App router={createBrowserRouter(routes)} />)
