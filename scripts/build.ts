import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Rollup } from 'vite'
import { earlyPages } from '../src/client/early/early-pages.ts'
import { renderMarkup } from '../src/server/http/landing-page.ts'
import { fillLanding } from '../src/shared/domain/fill-landing-template.ts'
import { publicationDefaults } from '../src/shared/publication-defaults.ts'
import {
  initialChunks,
  landingChunks,
  landingPage,
  landingScriptBudgetBytes,
  overBudget,
  pageOverBudget,
  pageScriptBudgetBytes,
  withImports,
} from './build/budget.ts'
import { findContentProblems } from './build/content-problems.ts'
import { bundleEarlyScript, chunksOfModules, readThemeScript } from './build/early-script.ts'
import { installTags, writeInstallableApp } from './build/installable-app.ts'
import { inlineStyles, startAfterPaint, stylesheetOf } from './build/landing-html.ts'
import { readSamples } from './build/landing-samples.ts'
import { compressedSize, precompress } from './build/precompress.ts'
import { preloadTags } from './build/preload-tags.ts'
import { bundleServer } from './build/server.ts'
import { buildServiceWorker, type LinkedChunk } from './build/service-worker.ts'
import { wireSizes } from './build/wire-size.ts'

/*
 * `build.ts [server] [pages]`: bundles the server (build/server.ts). Checks content/, then builds the client in five steps: bundle it for the browser; bundle the pages for the server, which renders the landing
 * page when samples change; render the landing page into index.html, and write shell.html for all other routes; bundle the
 * service worker; compress the files and check their size.
 */
process.env.NODE_ENV = 'production'

const root = join(import.meta.dirname, '..')
const client = join(root, 'dist/client')
const pages = join(root, 'dist/pages')
const fontPreload = /<link rel="preload"[^>]* as="font"[^>]*>\s*/g
const placeholder = '<!--app-->'
const themeTag = '<script src="/theme.js"></script>'
const samplesPlaceholder = '<!--samples-->'

/** Every page except the landing page needs these at once. */
const neededByMembers = [/src\/client\/features\/billing\/subscriptions\/subscription-request\.ts$/]

/** The entry's chunks and those that every page of a member needs, which the document preloads. */
const alwaysLoaded = (chunks: readonly LinkedChunk[]) => [
  ...new Set([
    ...initialChunks(chunks),
    ...withImports(chunks, ({ moduleIds }) =>
      moduleIds.some((id) => neededByMembers.some((module) => module.test(id))),
    ),
  ]),
]

const outputOf = (result: Awaited<ReturnType<typeof build>>): Rollup.RollupOutput => {
  const single = Array.isArray(result) ? result[0] : result
  if (!single || !('output' in single)) throw new Error('Vite returned no build output')
  return single as Rollup.RollupOutput
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0)

async function bundleClient(): Promise<LinkedChunk[]> {
  const { output } = outputOf(await build({ root, logLevel: 'warn' }))
  return output.filter((file) => file.type === 'chunk')
}

async function bundlePages(): Promise<void> {
  await build({
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: 'src/client/app/entry-server.tsx',
      outDir: pages,
      emptyOutDir: true,
      // One file: a chunk would import the entry by another address than we do, and so get its own copy.
      rolldownOptions: { output: { codeSplitting: false } },
    },
    // The server runs this bundle without the client's packages.
    ssr: { noExternal: true },
  })
}

async function writePages(chunks: readonly LinkedChunk[]) {
  const template = await readFile(join(client, 'index.html'), 'utf8')
  for (const place of [placeholder, samplesPlaceholder, themeTag]) {
    if (!template.includes(place)) throw new Error(`index.html has no ${place}`)
  }
  const styles = await readFile(join(client, stylesheetOf(template)), 'utf8')
  const earlyScript = await bundleEarlyScript(root, chunks, alwaysLoaded(chunks))
  const shell = template
    .replaceAll(' fetchpriority="low"', '')
    // The early script asks for them when they no longer delay the entry.
    .replaceAll(fontPreload, '')
    .replace(placeholder, '')
    .replace(samplesPlaceholder, '')
    // Files that every page needs come before those of the early script, since a browser has six connections.
    .replace(themeTag, () => `${preloadTags(chunks, neededByMembers)}<script>${earlyScript}</script>`)
    .replace('</head>', `${installTags}</head>`)
  await writeFile(join(client, 'shell.html'), inlineStyles(shell, styles))
  const theme = await readThemeScript(root)
  const withLanding = template
    .replace(themeTag, () => `<script>${theme}</script>`)
    .replace('</head>', `${preloadTags(chunks, [landingPage])}${installTags}<!--landing-head--></head>`)
  const landing = inlineStyles(startAfterPaint(withLanding), styles)
  const { choice, samples } = readSamples()
  await writeFile(join(pages, 'landing.html'), landing)
  await writeFile(join(pages, 'samples.json'), JSON.stringify({ choice, samples }))
  const module = pathToFileURL(join(pages, 'entry-server.js')).href
  const markup = await renderMarkup(module, samples, publicationDefaults)
  if (markup.includes('aria-busy')) throw new Error('The landing page was rendered without its content')
  await writeFile(join(client, 'index.html'), fillLanding(landing, markup, JSON.stringify(samples)))
}

/** Runs after compression, since it measures the responses of our own server. */
async function reportSizes(chunks: readonly LinkedChunk[]) {
  const initial = landingChunks(chunks)
  const scripts = [...initial.map(({ fileName }) => fileName), 'after-paint.js']
  const pages = scriptsOfPages(chunks)
  // Once for all, since each measurement starts a server that reads the whole build.
  const overWire = await wireSizes(client, [...new Set([...scripts, ...pages.values()].flat())])
  const sizeOf = (fileName: string) => overWire.get(fileName) ?? 0
  const total = sumOf(scripts.map(sizeOf))
  console.log('Landing page scripts, compressed, including response headers:')
  for (const file of scripts) console.log(`  ${file.padEnd(44)} ${kilobytes(sizeOf(file)).padStart(10)}`)
  console.log(`  ${'total'.padEnd(44)} ${kilobytes(total).padStart(10)} of ${kilobytes(landingScriptBudgetBytes)}`)
  const compressed = (fileName: string) => compressedSize(join(client, fileName))
  const lazy = chunks.filter((chunk) => !initial.includes(chunk))
  const lazySizes = await Promise.all(lazy.map(({ fileName }) => compressed(fileName)))
  console.log(`Lazy: ${lazy.length} chunks, ${kilobytes(sumOf(lazySizes))}`)
  const styles = (await readdir(join(client, 'assets'))).filter((file) => file.endsWith('.css'))
  for (const file of styles) console.log(`Styles: ${kilobytes(await compressed(`assets/${file}`))}`)
  const violations = overBudget(initial, total)
  for (const [name, files] of pages) {
    const size = sumOf(files.map(sizeOf))
    console.log(`  ${name.padEnd(44)} ${kilobytes(size).padStart(10)} of ${kilobytes(pageScriptBudgetBytes)}`)
    violations.push(...pageOverBudget(name, files.length, size))
  }
  if (violations.length > 0) throw new Error(`Over budget:\n- ${violations.join('\n- ')}`)
}

/** Scripts of the portal's tabs: what the document preloads and what the early script adds. */
function scriptsOfPages(chunks: readonly LinkedChunk[]): Map<string, string[]> {
  const loaded = alwaysLoaded(chunks)
  const byModule = chunksOfModules(chunks, loaded)
  const pages = earlyPages.filter(({ modules }) => modules.some((module) => module.startsWith('portal/')))
  return new Map(
    pages.map(({ modules }) => {
      const own = modules.flatMap((module) => byModule[module] ?? []).map((href) => href.slice(1))
      return [modules.join(', '), [...new Set([...loaded.map(({ fileName }) => fileName), ...own])]]
    }),
  )
}

async function buildPages() {
  const problems = await findContentProblems()
  if (problems.length > 0) throw new Error(`Fix content/ first:\n${problems.join('\n')}`)
  await mkdir(pages, { recursive: true })
  const chunks = await bundleClient()
  await bundlePages()
  await writePages(chunks)
  await writeInstallableApp(client)
  const offlineUrls = await buildServiceWorker(root, client, chunks)
  await precompress(client)
  await reportSizes(chunks)
  const offlineFiles = offlineUrls.map((url) => (url === '/portal' ? 'shell.html' : url.slice(1)))
  const offlineSizes = await Promise.all(offlineFiles.map((file) => compressedSize(join(client, file))))
  console.log(`Offline: ${offlineFiles.length} files, ${kilobytes(sumOf(offlineSizes))}`)
}

const parts = process.argv.slice(2)
if (parts.length === 0 || parts.includes('server')) await bundleServer(root)
if (parts.length === 0 || parts.includes('pages')) await buildPages()
