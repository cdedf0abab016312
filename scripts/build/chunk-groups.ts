import { basename } from 'node:path'

/** The part of the bundler's `ModuleInfo` that is used here. */
export type ModuleInfo = {
  isEntry: boolean
  importers: readonly string[]
  dynamicImporters: readonly string[]
}
type ReadModule = (id: string) => ModuleInfo | null

/** Pages by area, which share chunks. The pages that are only text leave the tabs of the portal alone. */
const areas = [
  ['landing', /\/client\/app\/routes\/landing\.tsx$/],
  ['texts', /\/client\/app\/routes\/portal\/(corrections|editor|glossary|method|safety|start-here)\.tsx$/],
  ['tabs', /\/client\/app\/routes\/portal\/(guides|prompt-packs|tools|weekly-drops?)\.tsx$/],
  ['portal', /\/client\/app\/routes\/portal\//],
  ['account', /\/client\/app\/routes\/account\//],
  ['admin', /\/client\/app\/routes\/admin\//],
  ['public', /\/client\/app\/routes\//],
] as const

const routeTable = /\/client\/app\/routes(\/admin\/admin-routes)?\.tsx$/

/** Every member's page needs them: the frame, and the requests that check the subscription. */
const memberRoots =
  /\/client\/(app\/layouts\/members-layout\.tsx|features\/billing\/subscriptions\/subscription-request\.ts)$/

/** Parts that readers' pages load without a tap. What they share with other pages would bring those pages' chunks along. */
const readerParts =
  /\/client\/(lib\/offline\/start-offline-support\.ts|features\/reader\/(assignments\/account-dot|feedback\/guide-vote)\.tsx)$/

/** The chunks of shared code. A chunk imports only earlier ones: what it needs is needed by at least the same pages. */
const chunkNames = [
  'own',
  'landing',
  'member',
  'prompts',
  'tab-',
  'parts',
  'forms',
  'portal-shared',
  'account-shared',
  'admin-shared',
  'editor',
  'source-editor',
  'public-shared',
  'texts-shared',
] as const
type ChunkName = Exclude<(typeof chunkNames)[number], 'tab-'> | `tab-${string}`

/** The bundler's groups: few chunks instead of one for each combination of pages that share a module. */
export function chunkGroups() {
  const nameOf = createChunkNames()
  const known = new Map<string, ModuleInfo | null>()
  type Graph = { getModuleInfo: ReadModule }
  const read = (id: string, graph: Graph) =>
    nameOf(id, (other) => {
      if (!known.has(other)) known.set(other, copyModuleInfo(graph.getModuleInfo(other)))
      return known.get(other) ?? null
    })
  return chunkNames.map((group, index) => ({
    debugName: group,
    priority: chunkNames.length - index,
    ...(group !== 'own' && { includeDependenciesRecursively: false }),
    name: (id: string, graph: Graph) => {
      const name = read(id, graph)
      return name === group || (group === 'tab-' && name?.startsWith(group)) ? name : null
    },
  }))
}

/** The bundler builds its answer, including all importers, again for each property that is read. */
const copyModuleInfo = (info: ModuleInfo | null): ModuleInfo | null =>
  info && {
    isEntry: info.isEntry,
    importers: info.importers,
    dynamicImporters: info.dynamicImporters,
  }

/**
 * Names the chunk of a module by the pages that need it; null leaves it to the bundler, which puts it into the chunk of
 * the only page or dialog that imports it.
 */
export function createChunkNames() {
  const names = new Map<string, ChunkName | null>()
  let findRoots: ((id: string) => string[]) | null = null
  return (id: string, read: ReadModule): ChunkName | null => {
    findRoots ??= rootFinder(read)
    const known = names.get(id)
    if (known !== undefined) return known
    const name = chooseName(id, findRoots(id), read)
    names.set(id, name)
    return name
  }
}

/** ProseMirror, the Markdown parser and the field around them. A third of a megabyte, so only pages with the field load it. */
const editor =
  /\/node_modules\/(prosemirror-[a-z-]+|orderedmap|rope-sequence|w3c-keyname|markdown-it|linkify-it|mdurl|uc\.micro|entities|punycode\.js)\/|\/features\/publishing\/documents\/(rich-text\/|markdown-field\.tsx$|source-field\.tsx$|writing)/

const zod = /\/node_modules\/zod\//

function chooseName(id: string, roots: readonly string[], read: ReadModule): ChunkName | null {
  // Every contract imports it, but only forms run it (strip-schemas.ts).
  if (zod.test(id)) return 'forms'
  if (editor.test(id)) return 'editor'
  // Dialogs and other parts of a page load on a tap; only the routes count as pages.
  const isPage = (root: string) => read(root)?.dynamicImporters.some((importer) => routeTable.test(importer))
  const areaOf = (root: string) => (isPage(root) ? areas.find(([, pattern]) => pattern.test(root))?.[0] : undefined)
  if (roots.some((root) => read(root)?.isEntry)) return 'own'
  if (roots.some((root) => memberRoots.test(root))) return 'member'
  const pageAreas = roots.map(areaOf).filter((area) => area !== undefined)
  const used = new Set(pageAreas)
  // What it shares with pages outside the portal comes with it, so that the tabs of the portal don't load it.
  if (used.has('tabs') && used.has('landing')) return 'own'
  if (used.has('landing')) return used.size > 1 || roots.length === 1 ? 'landing' : null
  const [tab, ...otherTabs] = roots.filter((root) => areaOf(root) === 'tabs').map((root) => basename(root, '.tsx'))
  if (tab) return otherTabs.length === 0 ? `tab-${tab}` : withPrompts(tab, otherTabs) ? 'prompts' : 'member'
  if (pageAreas.length > 1 && roots.some((root) => readerParts.test(root))) return 'parts'
  if (used.size > 1) return 'forms'
  const shared = `${pageAreas[0]}-shared`
  return pageAreas.length > 1 ? (chunkNames.find((name) => name === shared) ?? null) : null
}

/** Prompts are in packs and in drops. What fills them in is a third of these pages. */
const withPrompts = (...[tab, otherTabs]: [string, string[]]) =>
  [tab, ...otherTabs].every((name) => name === 'prompt-packs' || name === 'weekly-drop')

/** Finds the entries and lazily loaded modules from which static imports lead to a module. */
function rootFinder(read: ReadModule) {
  return (id: string): string[] => {
    const roots = new Set<string>()
    const seen = new Set<string>()
    const visit = (at: string) => {
      const info = seen.has(at) ? null : read(at)
      seen.add(at)
      if (!info) return
      if (info.isEntry || info.dynamicImporters.length > 0) roots.add(at)
      for (const importer of info.importers) visit(importer)
    }
    visit(id)
    return [...roots]
  }
}
