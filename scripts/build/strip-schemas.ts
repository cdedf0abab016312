import type { ESTree, Plugin } from 'vite'

const definers: ReadonlySet<string> = new Set(['defineCall', 'defineAdminCall'])

const contracts = /\/src\/shared\/contracts\/.+\.ts$/

/**
 * Leaves the schemas of calls out of the browser's bundle, because the server parses input and output (product-calls.ts).
 * Schemas that a form imports stay.
 */
export const stripSchemas = (): Plugin => ({
  name: 'front-counter:strip-schemas',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  transform: {
    filter: { id: contracts },
    handler(code) {
      return { code: withoutSchemas(code, this.parse(code)), map: null }
    },
  },
})

type Edit = { start: number; end: number; text: string }

/** A contract's code without the schemas of its calls. Other constants are marked, so that unused ones are left out. */
export function withoutSchemas(code: string, program: ESTree.Program): string {
  const marked = program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') return []
    return declaration.declarations.flatMap(({ init }) => (init ? editsOf(init) : []))
  })
  const stripped = applyEdits(code, marked)
  // A schema of another contract would otherwise be loaded by all pages that make the call.
  const unused = program.body.filter(
    (statement) =>
      statement.type === 'ImportDeclaration' &&
      statement.source.value.startsWith('.') &&
      statement.specifiers.every(({ local }) => countWord(stripped, local.name) === 1),
  )
  return applyEdits(code, [...marked, ...unused.map(({ start, end }) => ({ start, end, text: '' }))])
}

const countWord = (text: string, word: string) => text.match(new RegExp(`\\b${word}\\b`, 'g'))?.length ?? 0

const applyEdits = (code: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: inserted }) => text.slice(0, start) + inserted + text.slice(end), code)

function editsOf(init: ESTree.Expression): Edit[] {
  if (init.type === 'Literal' || init.type === 'ArrowFunctionExpression') return []
  const mark = [
    { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' },
    { start: init.end, end: init.end, text: '))()' },
  ]
  return [...mark, ...schemasOf(init)]
}

function schemasOf(init: ESTree.Expression): Edit[] {
  if (init.type !== 'CallExpression' || init.callee.type !== 'Identifier' || !definers.has(init.callee.name)) return []
  const [call] = init.arguments
  if (call?.type !== 'ObjectExpression') return []
  return call.properties.flatMap((property) =>
    property.type === 'Property' &&
    property.key.type === 'Identifier' &&
    (property.key.name === 'input' || property.key.name === 'output')
      ? [{ start: property.value.start, end: property.value.end, text: 'undefined' }]
      : [],
  )
}
