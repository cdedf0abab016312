import { parentPort, workerData } from 'node:worker_threads'
import type { LandingContent } from '#shared/contracts/library/landing-samples.ts'

/** The entry of a worker thread that renders the landing page once with the server bundle of the pages. */
type Work = { module: string; content: LandingContent }
const { module, content } = workerData as Work
const { renderPage } = (await import(module)) as {
  renderPage: (path: string, content: LandingContent) => Promise<string>
}
parentPort?.postMessage(await renderPage('/', content))
