import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

type Resolved = { url: string; format?: string | null }

const packages = '/node_modules/'
const root = new URL('../../', import.meta.url)

/** The `imports` of package.json as prefixes and what they stand for: `#server/` is the address of `src/server/`. */
function readAliases(): [prefix: string, address: string][] {
  const { imports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    imports: Record<string, string>
  }
  return Object.entries(imports).map(([name, path]) => [name.slice(0, -1), new URL(path.slice(0, -1), root).href])
}

/** The package of a module. All of our own modules count as one. */
function ownerOf(url: string): string {
  const start = url.lastIndexOf(packages)
  return start < 0 ? '' : url.slice(0, url.indexOf('/', start + packages.length))
}

/**
 * Caches module resolution: a specifier per importing package, and the module format per folder. Without it, Node parses
 * the `exports` of drizzle-orm (180 kB) for each of its files, about 0.3 s and 170 MB of garbage per start (decision 137).
 * Our own imports name the file, so nothing is looked up for them.
 */
export function cacheModuleResolution(): void {
  const aliases = readAliases()
  const moduleFolders = new Set<string>()
  const named = new Map<string, Resolved>()
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL, conditions } = context
      if (!parentURL?.startsWith('file:') || conditions.includes('require')) return nextResolve(specifier, context)
      if (specifier.endsWith('.ts') && !parentURL.includes(packages)) {
        const alias = aliases.find(([prefix]) => specifier.startsWith(prefix))
        const url = alias ? alias[1] + specifier.slice(alias[0].length) : new URL(specifier, parentURL).href
        return { url, format: 'module-typescript', shortCircuit: true }
      }
      if (!specifier.startsWith('.')) {
        const key = `${ownerOf(parentURL)} ${specifier}`
        const known = named.get(key)
        if (known) return { ...known, shortCircuit: true }
        const resolved = nextResolve(specifier, context)
        named.set(key, resolved)
        return resolved
      }
      if (!specifier.endsWith('.js') || !parentURL.includes(packages)) return nextResolve(specifier, context)
      const { href } = new URL(specifier, parentURL)
      const folder = href.slice(0, href.lastIndexOf('/'))
      if (moduleFolders.has(folder)) return { url: href, format: 'module', shortCircuit: true }
      const resolved = nextResolve(specifier, context)
      if (resolved.format === 'module') moduleFolders.add(folder)
      return resolved
    },
  })
}
