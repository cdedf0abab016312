import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { type Chunk, initialChunks } from './budget.ts'

export type LinkedChunk = Chunk & { dynamicImports: string[] }

/** Modules of the pages that work offline. What they load on demand comes along. */
const offlineModules = [
  /src\/client\/app\/layouts\/(members|open)-layout\.tsx$/,
  /src\/client\/app\/routes\/portal\/[^/]+\.tsx$/,
  /src\/client\/app\/routes\/account\/(layout|business)\.tsx$/,
  /src\/client\/app\/toaster\.tsx$/,
  /src\/client\/lib\/backend\.ts$/,
  /src\/client\/lib\/offline\/[^/]+\.ts$/,
  /src\/client\/features\/(identity\/auth\/auth-requests|billing\/subscriptions\/(billing-requests|subscription-request))\.ts$/,
]

/** Scripts that pages need offline: the entry's, and those of the pages of members. Nothing of the admin pages. */
export function offlineChunks(chunks: readonly LinkedChunk[]): string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set(initialChunks(chunks).map(({ fileName }) => fileName))
  // The entry links to every page, so its own links aren't followed.
  const pending = chunks.filter(
    ({ fileName, moduleIds }) =>
      !found.has(fileName) && moduleIds.some((id) => offlineModules.some((pattern) => pattern.test(id))),
  )
  for (let chunk = pending.pop(); chunk; chunk = pending.pop()) {
    if (found.has(chunk.fileName)) continue
    found.add(chunk.fileName)
    for (const name of [...chunk.imports, ...chunk.dynamicImports]) {
      const next = byName.get(name)
      if (next) pending.push(next)
    }
  }
  return [...found]
}

/** Served by name, so they need a revision. Names of assets contain their hash. */
const namedFiles = ['favicon.svg', 'manifest.webmanifest', 'app-icon-192.png']
/** Of all designs; the server leaves those of the chosen one. */
const latinFont = /-latin-(?:wght|opsz|standard)-normal[^/]*\.woff2$/

/**
 * Bundles the service worker into sw.js, with the list of files that it keeps.
 * @returns the URLs of these files
 */
export async function buildServiceWorker(root: string, client: string, chunks: readonly LinkedChunk[]) {
  const revision = async (file: string) =>
    createHash('sha256')
      .update(await readFile(join(client, file)))
      .digest('base64url')
      .slice(0, 16)
  const assets = (await readdir(join(client, 'assets'))).filter((file) => file.endsWith('.css') || latinFont.test(file))
  // The server fills in a mark that changes with the publication's settings (site-documents.ts).
  const entries = [
    { url: '/portal', revision: `${await revision('shell.html')}__SETTINGS__` },
    ...(await Promise.all(
      namedFiles.map(async (file) => ({ url: `/${file}`, revision: `${await revision(file)}__SETTINGS__` })),
    )),
    ...[...offlineChunks(chunks), ...assets.map((file) => `assets/${file}`)].map((file) => ({
      url: `/${file}`,
      revision: null,
    })),
  ]
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { 'self.__WB_MANIFEST': JSON.stringify(entries), 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: client,
      emptyOutDir: false,
      target: 'es2023',
      rolldownOptions: {
        input: join(root, 'src/client/worker/entry-worker.ts'),
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  })
  return entries.map(({ url }) => url)
}
