import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { earlyPages } from '../../src/client/early/early-pages.ts'
import { type Chunk, withImports } from './budget.ts'

/** The chunks of each page's modules, without those that every page loads. */
export function chunksOfModules(chunks: readonly Chunk[], loaded: readonly Chunk[]): Record<string, string[]> {
  const modules = new Set(earlyPages.flatMap((page) => page.modules))
  return Object.fromEntries(
    [...modules].map((module) => {
      const isRoot = ({ moduleIds }: Chunk) => moduleIds.some((id) => id.endsWith(`/src/client/app/routes/${module}`))
      const found = withImports(chunks, isRoot)
      if (found.length === 0) throw new Error(`No chunk has the module ${module} of early/early-pages.ts`)
      return [module, found.filter((chunk) => !loaded.includes(chunk)).map(({ fileName }) => `/${fileName}`)]
    }),
  )
}

/** theme.js without comments, to inline: as a file it would delay the first paint by a round trip. */
export async function readThemeScript(root: string): Promise<string> {
  const theme = await readFile(join(root, 'public/theme.js'), 'utf8')
  return theme.replaceAll(/^\/\/.*\n|^ *\/\/.*\n/gm, '')
}

/** Bundles the script in the head of shell.html: the theme, the fonts, and the page's first requests. */
export async function bundleEarlyScript(root: string, chunks: readonly Chunk[], loaded: readonly Chunk[]) {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { chunksOfModules: JSON.stringify(chunksOfModules(chunks, loaded)) },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: join(root, 'src/client/early/start-requests.ts'), output: { format: 'iife' } },
    },
  })
  const [file] = 'output' in result ? result.output : []
  if (file?.type !== 'chunk') throw new Error('Vite returned no early script')
  const script = (await readThemeScript(root)) + file.code
  if (script.includes('</')) throw new Error('The early script would close its own <script> element')
  return script
}
