/** Names of fields in the files that differ from the parsed content. */
const writtenNames: Record<string, string> = { dataLabel: 'data', checks: 'check' }

export type LineFinder = (path: readonly PropertyKey[], line?: number) => number

/** Finds the lines of fields in a YAML file, and lines of their texts. A missing field is found at its closest parent. */
export function createLineFinder(yaml: typeof import('yaml'), text: string): LineFinder {
  const { LineCounter, isNode, isScalar, parseDocument } = yaml
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  return (path, line = 1) => {
    const names = path.map((name) => (typeof name === 'string' ? (writtenNames[name] ?? name) : name))
    for (let depth = names.length; depth > 0; depth -= 1) {
      const node = document.getIn(names.slice(0, depth), true)
      if (!isNode(node) || !node.range) continue
      const start = lines.linePos(node.range[0]).line
      if (depth < names.length || !isScalar(node)) {
        // A list or map begins at its first entry, and a missing field belongs to it.
        return start
      }
      const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'
      return isBlock ? start + line : start
    }
    return 1
  }
}
