import { parentPort, workerData } from 'node:worker_threads'
import type { LandingSamples } from '#shared/contracts/landing-samples.ts'

/** The entry of a worker thread that renders the landing page once with the server bundle of the pages. */
const { module, samples } = workerData as { module: string; samples: LandingSamples }
const { renderPage } = (await import(module)) as {
  renderPage: (path: string, samples: LandingSamples) => Promise<string>
}
parentPort?.postMessage(await renderPage('/', samples))
