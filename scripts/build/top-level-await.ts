import type { ESTree, Plugin } from 'vite'

/**
 * Fails the build on a top-level await in the browser's bundle. WebKit can run a module before one that it imports if the
 * latter waits and several pages' modules load in parallel, so that its classes and functions are undefined.
 */
export const refuseTopLevelAwait = (): Plugin => ({
  name: 'front-counter:top-level-await',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      const start = findTopLevelAwait(this.parse(chunk.code))
      if (start === null) continue
      const excerpt = chunk.code.slice(Math.max(start - 60, 0), start + 60)
      this.error(`${chunk.fileName} has a top-level await, which crashes pages in Safari: … ${excerpt} …`)
    }
  },
})

const functions: ReadonlySet<unknown> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

/** Where the first await outside of functions starts, or null if there is none. */
export function findTopLevelAwait(program: ESTree.Program): number | null {
  const visit = (node: object): number | null => {
    const { type, start } = node as ESTree.Node
    if (functions.has(type)) return null
    const isAwaited =
      type === 'AwaitExpression' ||
      ('await' in node && node.await === true) ||
      ('kind' in node && node.kind === 'await using')
    if (isAwaited) return start
    for (const child of Object.values(node)) {
      const found = typeof child === 'object' && child !== null ? visit(child) : null
      if (found !== null) return found
    }
    return null
  }
  return visit(program)
}
