import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import {
  type LandingSamples,
  landingSamplesSchema,
  type SampleChoice,
  sampleChoiceSchema,
} from '#shared/contracts/landing-samples.ts'
import { fillLanding } from '#shared/domain/fill-landing-template.ts'
import { type ClientFile, jsonFile, type PageVariables, pageFile } from './client-files.ts'
import type { Logger } from './logger.ts'

export type LandingOptions = {
  /** Build output: the page without samples, the module that renders it, and the choice of samples. */
  directory: string
  readSamples(choice: SampleChoice): Promise<LandingSamples>
  logger: Pick<Logger, 'error'>
  /** Time between reads of the published content. */
  maxAgeMs?: number
}

/** The landing page, and its samples as JSON for navigations from other pages. */
export type Landing = { page: ClientFile; samples: ClientFile }

const defaultMaxAgeMs = 1_000

/**
 * Serves the landing page with currently published samples. Reads them at most once a second and renders the page again
 * if they have changed. If the database is unavailable, serves the last version. Returns null without a build.
 */
export async function createLandingPage(
  { directory, readSamples, logger, maxAgeMs = defaultMaxAgeMs }: LandingOptions,
  variables: PageVariables,
  built: ClientFile | undefined,
): Promise<(() => Promise<Landing>) | null> {
  const buildOutput = readBuildOutput(directory)
  if (!buildOutput || !built) return null
  const { choice, template, module } = buildOutput
  let current: { json: string; landing: Landing } = {
    json: buildOutput.samples,
    landing: { page: built, samples: await jsonFile(buildOutput.samples) },
  }
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function refresh() {
    const samples = await readSamples(choice)
    const json = JSON.stringify(samples)
    if (json !== current.json) {
      const html = fillLanding(template, await render(module, samples), json)
      current = { json, landing: { page: await pageFile(html, variables), samples: await jsonFile(json) } }
    }
    readAt = performance.now()
  }

  return async () => {
    if (performance.now() - readAt > maxAgeMs) {
      reading ??= refresh()
        .catch((error: unknown) => {
          // Also limits retries, so that visitors don't wait for an unavailable database.
          readAt = performance.now()
          logger.error({ err: error }, 'refreshing the landing page failed')
        })
        .finally(() => {
          reading = null
        })
      await reading
    }
    return current.landing
  }
}

function readBuildOutput(directory: string) {
  const path = (name: string) => join(directory, name)
  if (!existsSync(path('samples.json'))) return null
  const { choice, samples } = JSON.parse(readFileSync(path('samples.json'), 'utf8')) as Record<string, unknown>
  return {
    choice: sampleChoiceSchema.parse(choice),
    samples: JSON.stringify(landingSamplesSchema.parse(samples)),
    template: readFileSync(path('landing.html'), 'utf8'),
    module: pathToFileURL(path('entry-server.js')).href,
  }
}

/** Renders in a worker thread that ends afterwards, to free the renderer's memory. */
function render(module: string, samples: LandingSamples): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./entry-render-landing.ts', import.meta.url), {
      workerData: { module, samples },
    })
    worker.once('message', (markup: string) => resolve(markup))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The landing page worker ended without a result')))
  })
}
