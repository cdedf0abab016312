import { parentPort, workerData } from 'node:worker_threads'
import type { LandingSamples } from '#shared/contracts/landing-samples.ts'

/** A thread that renders the landing page once, with the module that the build made of the pages. */
const { module, samples } = workerData as { module: string; samples: LandingSamples }
const { renderPage } = (await import(module)) as {
  renderPage: (path: string, samples: LandingSamples) => Promise<string>
}
parentPort?.postMessage(await renderPage('/', samples))
