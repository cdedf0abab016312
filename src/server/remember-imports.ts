import { registerHooks } from 'node:module'

type Resolved = { url: string; format?: string | null }

const packages = '/node_modules/'

/** The package that a module belongs to; all of ours count as one. */
function ownerOf(url: string): string {
  const start = url.lastIndexOf(packages)
  return start < 0 ? '' : url.slice(0, url.indexOf('/', start + packages.length))
}

/**
 * Remembers how imports were resolved. Node reads a package's package.json anew for each of its files, and parses all of
 * its `exports` to learn whether the file is a module: with the 180 kB that drizzle-orm has there, this was a third of a
 * second and 170 MB of garbage at every start. What one file of a folder is, its neighbours are; what a name means to one
 * file of a package, it means to all.
 */
export function rememberImports(): void {
  const moduleFolders = new Set<string>()
  const named = new Map<string, Resolved>()
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL, conditions } = context
      if (!parentURL?.startsWith('file:') || conditions.includes('require')) return nextResolve(specifier, context)
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
