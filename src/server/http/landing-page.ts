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
import { fillLanding } from '#shared/domain/fill-landing.ts'
import { type ClientFile, dataFile, type PageFacts, pageFile } from './client-files.ts'
import type { Logger } from './logger.ts'

export type LandingOptions = {
  /** What the build left: the page without its samples, the module that renders it, and which samples are meant. */
  directory: string
  readSamples(choice: SampleChoice): Promise<LandingSamples>
  logger: Pick<Logger, 'error'>
  /** How long an answer stands before the published content is looked at again, in milliseconds. */
  maxAgeMs?: number
}

/** The landing page and its samples as data, for whoever comes from another page. */
export type Landing = { page: ClientFile; samples: ClientFile }

const defaultMaxAgeMs = 1_000

/**
 * The landing page with the samples that are published now, the same on every node: what readers see is read at most once
 * a second, and the page is rendered again only when that has changed. While the database is away the last one stands.
 * Null without a build.
 */
export async function createLandingPage(
  { directory, readSamples, logger, maxAgeMs = defaultMaxAgeMs }: LandingOptions,
  facts: PageFacts,
  built: ClientFile | undefined,
): Promise<(() => Promise<Landing>) | null> {
  const left = readLeft(directory)
  if (!left || !built) return null
  const { choice, template, module } = left
  let current: { json: string; landing: Landing } = {
    json: left.samples,
    landing: { page: built, samples: await dataFile(left.samples) },
  }
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function refresh() {
    const samples = await readSamples(choice)
    const json = JSON.stringify(samples)
    if (json !== current.json) {
      const html = fillLanding(template, await render(module, samples), json)
      current = { json, landing: { page: await pageFile(html, facts), samples: await dataFile(json) } }
    }
    readAt = performance.now()
  }

  return async () => {
    if (performance.now() - readAt > maxAgeMs) {
      reading ??= refresh()
        .catch((error: unknown) => {
          // Not at once again, or every visitor would wait for what is away.
          readAt = performance.now()
          logger.error({ err: error }, 'the landing page could not be refreshed')
        })
        .finally(() => {
          reading = null
        })
      await reading
    }
    return current.landing
  }
}

function readLeft(directory: string) {
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

/** In a thread of its own that ends afterwards: content changes seldom, and a renderer kept in memory would cost for ever. */
function render(module: string, samples: LandingSamples): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./entry-render-landing.ts', import.meta.url), {
      workerData: { module, samples },
    })
    worker.once('message', (markup: string) => resolve(markup))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The landing page was not rendered')))
  })
}
