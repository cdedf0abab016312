import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { startSession } from '#client/lib/session.ts'
import '../styles.css'
import { recoverFromMissingChunks } from './chunk-recovery.ts'
import { routes } from './routes.tsx'

recoverFromMissingChunks()
startSession()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// index.html is the pre-rendered landing page, shell.html is empty.
const isPrerendered = root.firstElementChild !== null
// Told that there is something to hydrate, the router leaves the scroll position alone: the reader may be reading.
const router = createBrowserRouter(routes, isPrerendered ? { hydrationData: {} } : undefined)
const page = <RouterProvider router={router} />

// As a transition, hydration yields to the reader.
if (isPrerendered) {
  // From here on no click is lost: after-paint.js stops remembering them.
  window.dispatchEvent(new Event('app:hydrating'))
  startTransition(() => void hydrateRoot(root, page))
} else createRoot(root).render(page)
