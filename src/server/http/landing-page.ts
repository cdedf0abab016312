import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import {
  type LandingContent,
  landingContentSchema,
  type SampleChoice,
  sampleChoiceSchema,
} from '#shared/contracts/library/landing-samples.ts'
import { fillLanding } from '#shared/domain/fill-landing-template.ts'
import { type Publication, publicationDefaults } from '#shared/publication-defaults.ts'
import { type ClientFile, fillPage, jsonFile, type PageVariables, pageFile } from './client-files.ts'
import type { Logger } from './logger.ts'

export type LandingOptions = {
  /** Build output: the page without samples, the module that renders it, and the choice of samples. */
  directory: string
  readContent(choice: SampleChoice): Promise<LandingContent>
  logger: Pick<Logger, 'error'>
  /** Time between reads of the published content. */
  maxAgeMs?: number
}

/** The landing page, or null while it is that of the build, and its samples as JSON for navigations from other pages. */
export type Landing = { page: ClientFile | null; samples: ClientFile }

const defaultMaxAgeMs = 1_000

/** Output of the build for rendering the landing page. */
export const builtPagesDirectory = fileURLToPath(new URL('../../../dist/pages', import.meta.url))

/**
 * Serves the landing page with its current texts and published samples. Reads them at most once a second and renders the
 * page again if they or the publication's settings have changed. If the database is unavailable, serves the last version. Returns null without a build.
 */
export async function createLandingPage(
  { directory, readContent, logger, maxAgeMs = defaultMaxAgeMs }: LandingOptions,
  variables: PageVariables,
): Promise<(() => Promise<Landing>) | null> {
  const buildOutput = readBuildOutput(directory)
  if (!buildOutput) return null
  const { choice, template, module } = buildOutput
  let current: { json: string; publication: Publication; landing: Landing } = {
    json: buildOutput.samples,
    // It was built with the default settings.
    publication: publicationDefaults,
    landing: { page: null, samples: await jsonFile(buildOutput.samples) },
  }
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function refresh() {
    const content = await readContent(choice)
    const json = JSON.stringify(content)
    const { publication } = variables.settings
    if (json !== current.json || publication !== current.publication) {
      const html = fillLanding(template, await renderMarkup(module, content, publication), json)
      const page = await pageFile(html, variables, { built: template })
      current = { json, publication, landing: { page, samples: await jsonFile(json) } }
    }
    readAt = performance.now()
  }

  return async () => {
    if (performance.now() - readAt > maxAgeMs) {
      reading ??= refresh()
        .catch((error: unknown) => {
          // The time of a failure counts too, so that visitors don't wait for an unavailable database.
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

/** The landing page with other content and settings, for a preview. Null without a build. */
export async function renderLanding(
  readContent: LandingOptions['readContent'],
  variables: PageVariables,
): Promise<string | null> {
  const buildOutput = readBuildOutput(builtPagesDirectory)
  if (!buildOutput) return null
  const { choice, template, module } = buildOutput
  const content = await readContent(choice)
  const html = fillLanding(
    template,
    await renderMarkup(module, content, variables.settings.publication),
    JSON.stringify(content),
  )
  return fillPage(html, variables)
}

function readBuildOutput(directory: string) {
  const path = (name: string) => join(directory, name)
  if (!existsSync(path('samples.json'))) return null
  const { choice, samples } = JSON.parse(readFileSync(path('samples.json'), 'utf8')) as Record<string, unknown>
  return {
    choice: sampleChoiceSchema.parse(choice),
    samples: JSON.stringify(landingContentSchema.parse(samples)),
    template: readFileSync(path('landing.html'), 'utf8'),
    module: pathToFileURL(path('entry-server.js')).href,
  }
}

/** Renders in a worker thread that ends afterwards, to free the renderer's memory. */
export function renderMarkup(module: string, content: LandingContent, publication: Publication): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./entry-render-landing.ts', import.meta.url), {
      workerData: { module, content, publication },
    })
    worker.once('message', (markup: string) => resolve(markup))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The landing page worker ended without a result')))
  })
}
