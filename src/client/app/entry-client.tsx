import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { LandingContext, readEmbeddedContent } from '#client/features/publishing/landing/landing-content.ts'
import { startSession } from '#client/lib/session.ts'
import '../styles.css'
import { recoverFromMissingChunks } from './chunk-recovery.ts'
import { consumeEmailLink } from './consume-email-link.ts'
import { createRoutes, loadLandingPage, patchRoutes } from './routes.tsx'

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
