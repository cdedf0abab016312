import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Rollup } from 'vite'
import { type Chunk, initialChunks, landingScriptBudgetBytes, overBudget, sizeOf } from './build/budget.ts'
import { inlineStyles, startAfterPaint, stylesheetOf } from './build/landing-html.ts'
import { precompress } from './build/precompress.ts'
import { preloadTags } from './build/preload-tags.ts'

/*
 * The client, in four steps: bundle it for the browser; bundle the pages for Node (Node runs no .tsx by itself); render
 * the landing page into index.html and leave shell.html for every other route; compress what will be served.
 */
process.env.NODE_ENV = 'production'

const root = join(import.meta.dirname, '..')
const client = join(root, 'dist/client')
const pages = join(root, '.cache/pages')
const placeholder = '<!--app-->'

const outputOf = (result: Awaited<ReturnType<typeof build>>): Rollup.RollupOutput => {
  const single = Array.isArray(result) ? result[0] : result
  if (!single || !('output' in single)) throw new Error('Vite answered with something else than a build')
  return single as Rollup.RollupOutput
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

async function bundleClient(): Promise<Chunk[]> {
  const { output } = outputOf(await build({ root, logLevel: 'warn' }))
  return output.filter((file) => file.type === 'chunk')
}

/** Answers the function that renders a page to markup. */
async function bundlePages(): Promise<(path: string) => Promise<string>> {
  await build({
    root,
    logLevel: 'warn',
    publicDir: false,
    build: { ssr: 'src/client/app/entry-server.tsx', outDir: pages, emptyOutDir: true },
  })
  // Named after the time, because Node remembers a module that it has loaded once.
  const entry = pathToFileURL(join(pages, 'entry-server.js'))
  const { renderPage } = (await import(`${entry}?${Date.now()}`)) as { renderPage: (path: string) => Promise<string> }
  return renderPage
}

async function writePages(renderPage: (path: string) => Promise<string>, chunks: readonly Chunk[]) {
  const template = await readFile(join(client, 'index.html'), 'utf8')
  if (!template.includes(placeholder)) throw new Error(`index.html has lost its ${placeholder}`)
  const shell = template
    .replaceAll(' fetchpriority="low"', '')
    .replace(placeholder, '')
    .replace('</head>', `${preloadTags(chunks)}</head>`)
  await writeFile(join(client, 'shell.html'), shell)
  const markup = await renderPage('/')
  const landing = startAfterPaint(template.replace(placeholder, () => markup))
  const styles = await readFile(join(client, stylesheetOf(landing)), 'utf8')
  await writeFile(join(client, 'index.html'), inlineStyles(landing, styles))
}

async function reportSizes(chunks: readonly Chunk[]) {
  const initial = initialChunks(chunks)
  const plain = ['theme.js', 'after-paint.js'].map(async (fileName) => ({
    fileName,
    code: await readFile(join(client, fileName), 'utf8'),
  }))
  const sizes = [...initial, ...(await Promise.all(plain))].map(sizeOf)
  const total = sizes.reduce((sum, size) => sum + size.brotliBytes, 0)
  console.log('Script of the landing page (brotli):')
  for (const size of sizes) {
    console.log(
      `  ${size.fileName.padEnd(44)} ${kilobytes(size.bytes).padStart(10)} ${kilobytes(size.brotliBytes).padStart(10)}`,
    )
  }
  console.log(`  ${'together'.padEnd(55)} ${kilobytes(total).padStart(10)} of ${kilobytes(landingScriptBudgetBytes)}`)
  const lazy = chunks.filter((chunk) => !initial.includes(chunk)).map(sizeOf)
  console.log(
    `Loaded when needed: ${lazy.length} chunks, ${kilobytes(lazy.reduce((sum, size) => sum + size.brotliBytes, 0))}`,
  )
  const css = (await readdir(join(client, 'assets'))).filter((file) => file.endsWith('.css'))
  for (const file of css) {
    const size = sizeOf({ fileName: file, code: await readFile(join(client, 'assets', file), 'utf8') })
    console.log(`Styles: ${kilobytes(size.brotliBytes)}`)
  }
  const complaints = overBudget(initial, total)
  if (complaints.length > 0) throw new Error(`Over budget:\n- ${complaints.join('\n- ')}`)
}

await mkdir(pages, { recursive: true })
const chunks = await bundleClient()
await reportSizes(chunks)
await writePages(await bundlePages(), chunks)
await precompress(client)
await rm(pages, { recursive: true })
