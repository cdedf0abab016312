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

const page = <RouterProvider router={createBrowserRouter(routes)} />
// index.html is the pre-rendered landing page, shell.html is empty. As a transition, hydration yields to the reader.
if (root.firstElementChild) startTransition(() => void hydrateRoot(root, page))
else createRoot(root).render(page)
